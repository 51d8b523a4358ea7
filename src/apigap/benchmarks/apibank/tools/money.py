"""Banking, stocks, hotels and music."""

from typing import Any

from apigap.benchmarks.apibank.errors import ApiError
from apigap.benchmarks.apibank.scoring.rules import EXACT, by, raised, rule, same_day, stripped
from apigap.benchmarks.apibank.times import DAY, normal, parse
from apigap.benchmarks.apibank.tools.pools import DIALOGUE
from apigap.benchmarks.apibank.world import World


@DIALOGUE.add("OpenBankAccount", "account password name", rule=EXACT)
def open_bank_account(world: World, account: str, password: str, name: str) -> Any:
    """Opens a bank account."""
    opened = world.memory.setdefault("opened", {"test": {}})
    if account in opened:
        return "failed"
    opened[account] = {"password": password, "name": name}
    return "success"


@DIALOGUE.add("QueryBalance", "token", output="balance", database="Bank", rule=rule({"token": by(stripped)}))
def query_balance(world: World, token: str) -> Any:
    """Tells a user's balance."""
    try:
        user = world.user(token)
    except ApiError:
        raise ApiError("The token is incorrect.") from None
    if user not in world.rows:
        raise ApiError("The user does not have an account.")
    return world.rows[user]["balance"]


@DIALOGUE.add(
    "QueryStock", "stock_code date", output="stock_price", database="Stock",
    rule=rule({"stock_code": by(raised), "date": same_day}),
)  # fmt: skip
def query_stock(world: World, stock_code: str, date: str) -> Any:
    """Tells the price of a share on a day."""
    code = stock_code.upper().strip()
    if not code:
        raise ApiError("The stock code cannot be empty.")
    day = normal(date)
    if code not in world.rows:
        raise ApiError("The stock code does not exist.")
    if day not in world.rows[code]:
        raise ApiError("The stock price of this date is not maintained.")
    return world.rows[code][day]


@DIALOGUE.add(
    "BookHotel", "hotel_name check_in_time check_out_time room_count:int adult_count:int child_count:int",
    output="order_id", database="Hotel", rule=EXACT,
)  # fmt: skip
def book_hotel(
    world: World, hotel_name: str, check_in_time: str, check_out_time: str, room_count: int, adult_count: int,
    child_count: int,
) -> Any:  # fmt: skip
    """Books rooms of a hotel."""
    begin, end = parse(check_in_time, DAY), parse(check_out_time, DAY)
    if adult_count > 2 and room_count == 1:
        raise ApiError("The number of adults is greater than 2. Two rooms are ordered.")
    for order in world.rows.values():
        if order["hotel_name"] == hotel_name:
            first, last = parse(order["check_in_time"], DAY), parse(order["check_out_time"], DAY)
            if first <= begin < last or first < end <= last:
                raise ApiError("The room is not available.")
    number = str(len(world.rows) + 1)
    world.rows[number] = {
        "hotel_name": hotel_name, "check_in_time": check_in_time, "check_out_time": check_out_time,
        "room_count": room_count, "adult_count": adult_count, "child_count": child_count,
    }  # fmt: skip
    return number


@DIALOGUE.add("PlayMusic", "music_name", rule=rule(exception=False))
def play_music(world: World, music_name: str) -> Any:
    """Plays a piece of music."""
    music = music_name.lower().strip()
    if not music:
        raise ApiError("The music name cannot be empty.")
    return f"music://{music}"
