"""Queries of people at home and in the office."""

from apigap.benchmarks.calls.queries import Query
from tools.calls.own.writing import (
    WORDS,
    amount,
    ask,
    call,
    choice,
    clock,
    day,
    each_of,
    flag,
    function,
    maybe,
    one_of,
    queries_of,
)
from tools.calls.own.writing import several as listed
from tools.calls.own.writing import text, whole

_WEEK = {"type": "string", "enum": ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]}
FUNCTIONS = [
    function(
        "set_light", "Switches or dims the light of a room.", "room on",
        room=text("The room."), on=flag("On or off."), brightness=whole("Per cent.", minimum=1, maximum=100),
    ),
    function(
        "set_heating", "The temperature that a room is heated to.", "room celsius",
        room=text("The room."), celsius=amount("Degrees Celsius.", minimum=5, maximum=30),
    ),
    function(
        "play_music", "Plays music in a room.", "room what",
        room=text("The room."), what=text("Artist, album, station or kind of music."),
        volume=whole("Per cent.", minimum=0, maximum=100),
    ),
    function(
        "add_event", "Puts an appointment into the calendar.", "title date start",
        title=text("What it is."), date=day("The day"), start=clock("Beginning"),
        minutes=whole("Length in minutes.", default=60), people=listed("Names of those who are invited."),
    ),
    function(
        "send_message", "Sends a message to somebody in the address book.", "to channel words",
        to=text("Name."), channel=choice("email", "chat", "sms"), words=text("What it says."),
    ),
    function(
        "add_to_list", "Adds things to a list.", "list items",
        list=choice("shopping", "to-do", "packing"), items=listed("The things."),
    ),
    function(
        "set_alarm", "An alarm that rings once, or on some days of every week.", "time",
        time=clock("When"), days=listed("On these days of the week; left out: once.", _WEEK),
    ),
    function("set_timer", "Counts down from now.", "minutes", minutes=amount("Minutes."), label=text("What it is for.")),
    function(
        "start_vacuum", "Sends the robot to clean rooms.", "rooms",
        rooms=listed("The rooms."), quiet=flag("Slowly and without noise.", default=False),
    ),
    function(
        "lock_door", "Locks or unlocks a door.", "door locked", door=choice("front", "back", "garage"), locked=flag("Locked or not."),
    ),
    function(
        "book_meeting_room", "Reserves a meeting room in the office.", "people date start minutes",
        people=whole("How many it must hold."), date=day("The day"), start=clock("Beginning"), minutes=whole("Minutes."),
        screen=flag("With a screen.", default=False),
    ),
    function(
        "find_file", "Finds files in the shared folder by name and kind.", "name",
        name=text("Words of its name."), kind=choice("document", "spreadsheet", "presentation", "picture"),
    ),
    function(
        "print_file", "Prints a file of the shared folder.", "name",
        name=text("The file's name."), copies=whole("How many.", default=1), colour=flag("In colour.", default=False),
        two_sided=flag("On both sides.", default=True),
    ),
    function(
        "order_supplies", "Orders material for the office.", "item quantity", item=text("What."), quantity=whole("How many."),
    ),
]  # fmt: skip

NOTHING = [
    ask("The washing machine is beeping and shows E18. Start the rinse again, please.", offered="set_timer start_vacuum set_heating lock_door", why="No function reaches the washing machine."),
    ask("Who has taken my yoghurt out of the office fridge?", offered="send_message find_file order_supplies book_meeting_room", why="Nobody can be found out; a message was not asked for."),
    ask("Draw the blinds in the bedroom, the sun is blinding me.", offered="set_light set_heating lock_door play_music", why="Lights can be switched, blinds cannot be moved."),
    ask("Delete the spreadsheet with last year's bonuses from the shared folder for good.", offered="find_file print_file send_message", why="Files can be found and printed, not deleted."),
    ask("Cancel my dentist's appointment on Tuesday.", offered="add_event send_message set_alarm", why="Appointments can only be added; to whom to write is not told."),
    ask("Take milk off the shopping list, I have already bought it.", offered="add_to_list set_timer order_supplies", why="Things can be added, not taken off."),
    ask("How much electricity did the kitchen use last month?", offered="set_light set_heating find_file", why="No function measures consumption."),
    ask("Let the dog out into the garden when it barks.", offered="lock_door set_timer set_alarm play_music", why="Doors can be locked and not opened, and nothing hears the dog."),
    ask("Please translate the contract with Nordwind into English before noon.", offered="find_file print_file send_message add_event", why="A file can be found or printed, not translated."),
    ask("Cool the study down to 19 degrees, it has 27 in here. The heating is off already.", offered="set_heating set_light set_timer", why="Heating to 19 does not cool."),
    ask("Approve Marta's holiday in August.", offered="add_event send_message find_file", why="No function grants holidays; an entry in the calendar is no approval."),
    ask("What did Petra tell me on the phone yesterday about the new logo?", offered="find_file add_event book_meeting_room send_message", why="What was said on the phone is in no file and no calendar."),
    ask("Turn the garage light on whenever I come home after dark.", offered="set_light lock_door set_alarm", why="Lights are switched at once; no function sets up a rule."),
    ask("Call a plumber, the pipe under the sink is leaking!", offered="send_message add_to_list set_timer order_supplies", why="No plumber is known, and messages go to people in the address book; a list does not help."),
    ask("Mute the television in the living room.", offered="play_music set_light set_timer", why="Music can be played; the television cannot be reached."),
]  # fmt: skip

_LIVING = one_of("living room", "the living room")
SEVERAL = [
    ask("Lights off in the kitchen and in the hall, please.", call("set_light", room="kitchen", on=False), call("set_light", room=one_of("hall", "hallway"), on=False)),
    ask("I'm off to bed: lock the front and the back door and wake me at 06:45.", call("lock_door", door="front", locked=True), call("lock_door", door="back", locked=True), call("set_alarm", time="06:45")),
    ask("Twenty-one degrees in the living room and eighteen in the bedroom.", call("set_heating", room=_LIVING, celsius=21), call("set_heating", room="bedroom", celsius=18)),
    ask("Put eggs and flour on the shopping list and 'call the tax office' on my to-dos.", call("add_to_list", list="shopping", items=each_of("eggs", "flour")), call("add_to_list", list="to-do", items=[one_of("call the tax office", "call tax office")])),
    ask("Play some jazz in the kitchen at thirty per cent and dim the light there to forty.", call("play_music", room="kitchen", what=one_of("jazz", "some jazz"), volume=30), call("set_light", room="kitchen", on=True, brightness=40)),
    ask("Five minutes for the eggs and twelve for the pasta, starting now.", call("set_timer", minutes=5, label=maybe("eggs", "the eggs")), call("set_timer", minutes=12, label=maybe("pasta", "the pasta"))),
    ask("Reserve a room for eight on 11 March at ten for an hour and a half, with a screen, and put it into the calendar as 'Budget review' with Kim and Oleg.", call("book_meeting_room", people=8, date="2027-03-11", start="10:00", minutes=90, screen=True), call("add_event", title="Budget review", date="2027-03-11", start="10:00", minutes=90, people=each_of("Kim", "Oleg"))),
    ask("We are out of toner and down to the last pens. Order two toner cartridges and fifty pens.", call("order_supplies", item=one_of("toner cartridge", "toner cartridges", "toner"), quantity=2), call("order_supplies", item=one_of("pen", "pens"), quantity=50)),
    ask("Print three copies of agenda.pdf, and floorplan.png once in colour.", call("print_file", name=one_of("agenda.pdf", "agenda"), copies=3), call("print_file", name=one_of("floorplan.png", "floorplan"), copies=maybe(1), colour=True)),
    ask("Text Ines that I am running late, and write an email to Mr Okafor that the meeting begins at three.", call("send_message", to="Ines", channel="sms", words=WORDS), call("send_message", to=one_of("Mr Okafor", "Okafor", "Mr. Okafor"), channel="email", words=WORDS)),
    ask("First unlock the garage, then let the robot clean the hall.", call("lock_door", door="garage", locked=False), call("start_vacuum", rooms=[one_of("hall", "hallway")]), fixed=True, why="The customer gives the order."),
    ask("Look for the presentation about Lisbon and for the spreadsheet with the travel costs.", call("find_file", name=one_of("Lisbon", "about Lisbon"), kind="presentation"), call("find_file", name=one_of("travel costs", "travel cost"), kind="spreadsheet")),
    ask("Ring at half past six from Monday to Friday and at nine on Saturdays.", call("set_alarm", time="06:30", days=each_of("Mon", "Tue", "Wed", "Thu", "Fri")), call("set_alarm", time="09:00", days=["Sat"])),
    ask("Send Dana a chat message that the door is open, but unlock the front door before you do.", call("lock_door", door="front", locked=False), call("send_message", to="Dana", channel="chat", words=WORDS), fixed=True, why="What the message says must be true when it is sent."),
    ask("Yoga on Monday at 18:30 for 45 minutes and dinner with Paul on Tuesday at 20:00, both into my calendar.", call("add_event", title="Yoga", date="2027-03-08", start="18:30", minutes=45), call("add_event", title=one_of("dinner with Paul", "dinner"), date="2027-03-09", start="20:00", people=maybe(["Paul"]))),
]  # fmt: skip

SETS = [
    ask("It's too dark in the living room, make it as bright as it gets.", call("set_light", room=one_of("living room", "the living room", "lounge"), on=True, brightness=100), why="As bright as it gets is 100 per cent."),
    ask("Heat the bathroom to twenty-three and a half degrees.", call("set_heating", room=one_of("bathroom", "bath", "the bathroom"), celsius=23.5), why="The room may be named in several ways; the number is exact."),
    ask("Put on Nina Simone in the study, not too loud, a quarter of the volume.", call("play_music", room=one_of("study", "the study", "home office"), what=one_of("Nina Simone", "music by Nina Simone"), volume=25), why="A quarter is 25 per cent."),
    ask("Remind me in an hour and a half that the bread has to come out.", call("set_timer", minutes=one_of(90, 90.0), label=maybe("bread", "the bread", "bread has to come out", "the bread has to come out", "take the bread out", "take out the bread", "take bread out")), why="The label is optional and can be worded in several ways."),
    ask("Vacuum the kitchen and the dining room quietly, the baby is asleep.", call("start_vacuum", rooms=each_of("kitchen", one_of("dining room", "the dining room")), quiet=True), why="The order of rooms does not matter."),
    ask("Dentist on 17 March at a quarter to nine in the morning. It never takes more than half an hour.", call("add_event", title=one_of("dentist", "dentist appointment", "dentist's appointment", "dentist visit"), date="2027-03-17", start="08:45", minutes=30), why="The title may be worded in several ways."),
    ask("I need sunscreen, socks and the charger for the trip, put them on the right list.", call("add_to_list", list="packing", items=each_of(one_of("sunscreen", "sun screen"), "socks", one_of("charger", "the charger", "phone charger"))), why="Things for a trip go on the packing list, in any order."),
    ask("Get us a room for twelve people tomorrow from 14:00 to 16:00. No screen needed.", call("book_meeting_room", people=12, date="2027-03-05", start="14:00", minutes=120, screen=maybe(False)), why="No screen is the default."),
    ask("Run off ten black-and-white copies of menu.docx, one-sided.", call("print_file", name=one_of("menu.docx", "menu"), copies=10, colour=maybe(False), two_sided=False), why="Black and white is the default; one side is not."),
    ask("Wake me at five to six on weekends.", call("set_alarm", time="05:55", days=each_of("Sat", "Sun")), why="A weekend has two days, in any order."),
    ask("Where is that photo of the old bridge that somebody put in the shared folder?", call("find_file", name=one_of("old bridge", "bridge", "the old bridge"), kind=maybe("picture")), why="Fewer words find the file too; the kind may be left out."),
    ask("We need a dozen whiteboard markers.", call("order_supplies", item=one_of("whiteboard marker", "whiteboard markers", "whiteboard pens"), quantity=12), why="A dozen is twelve; one or many are the same thing."),
    ask("Shoot Beatrix an email that I agree.", call("send_message", to="Beatrix", channel="email", words=WORDS), why="The words are left to the model."),
    ask("Make sure the door at the back is shut and bolted.", call("lock_door", door="back", locked=True), why="Bolted is locked."),
    ask("Book half an hour with Jun and Amina next Wednesday at 11, call it Catch-up.", call("add_event", title=one_of("Catch-up", "Catch up", "Catchup"), date="2027-03-10", start="11:00", minutes=30, people=each_of("Jun", "Amina")), why="The spelling of the title and the order of people do not matter."),
]  # fmt: skip


def queries() -> list[Query]:
    """The queries by category."""
    return queries_of("home", FUNCTIONS, {"nothing": NOTHING, "several": SEVERAL, "sets": SETS})
