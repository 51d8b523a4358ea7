"""Queries of people to their bank."""

from apigap.benchmarks.calls.queries import Query
from tools.calls.own.writing import amount, ask, call, choice, day, each_of, flag, function, maybe, one_of, queries_of
from tools.calls.own.writing import several as listed
from tools.calls.own.writing import text, whole

_ACCOUNT = choice("checking", "savings", "credit card")
_CARD = choice("debit", "credit")
FUNCTIONS = [
    function("get_balance", "The balance of one of the customer's accounts.", "account", account=_ACCOUNT),
    function(
        "transfer_money", "Moves money to a saved payee or to another own account.", "from_account to amount",
        from_account=_ACCOUNT, to=text("Name of the payee, or of the own account."),
        amount=amount("The sum in euros.", exclusiveMinimum=0), date=day("When; today, where it is left out"),
        note=text("What the receiver reads."),
    ),
    function(
        "list_transactions", "Payments and receipts of an account.", "account",
        account=_ACCOUNT, since=day("First day"), until=day("Last day"), merchant=text("Only of this merchant."),
        at_least=amount("Only of at least so many euros."),
    ),
    function(
        "freeze_card", "Blocks a card until it is released again.", "card reason",
        card=_CARD, reason=choice("lost", "stolen", "damaged", "other"),
    ),
    function(
        "order_card", "Orders a new card by post.", "card",
        card=_CARD, express=flag("Within two days, at a charge.", default=False),
    ),
    function(
        "create_standing_order", "Sets up a payment that is repeated.", "to amount frequency first_date",
        to=text("Name of the payee."), amount=amount("The sum in euros."),
        frequency=choice("weekly", "monthly", "quarterly", "yearly"), first_date=day("First payment"),
    ),
    function("cancel_standing_order", "Ends a repeated payment.", "to", to=text("Name of the payee.")),
    function(
        "exchange_rate", "What one unit of a currency is worth in another one now.", "source target",
        source=text("A currency: its name or its ISO code."), target=text("A currency: its name or its ISO code."),
    ),
    function(
        "set_spending_limit", "The most that a card can spend in a period.", "card amount period",
        card=_CARD, amount=amount("The limit in euros."), period=choice("day", "week", "month"),
    ),
    function(
        "find_branch", "Branches and cash machines in a town.", "city",
        city=text("The town."), service=choice("cash machine", "advice", "safe deposit"),
        open_now=flag("Only those that are open.", default=False),
    ),
    function(
        "add_payee", "Saves a payee with the account number.", "name iban",
        name=text("The payee's name."), iban=text("The account number."),
    ),
    function(
        "loan_quote", "The monthly rate of a loan.", "amount months",
        amount=amount("The sum in euros."), months=whole("Time in months.", minimum=6),
        purpose=choice("car", "home", "education", "other", default="other"),
    ),
    function(
        "set_alert", "Tells the customer when something happens on the checking account.", "kind",
        kind=choice("low balance", "large payment", "salary received"), threshold=amount("From so many euros on."),
        channel=choice("sms", "email", "push", default="push"),
    ),
    function(
        "split_bill", "Asks several people for their equal share of a sum.", "total people",
        total=amount("The sum in euros."), people=listed("Names of those who are asked."),
        include_me=flag("Whether the customer bears a share too.", default=True),
    ),
]  # fmt: skip

NOTHING = [
    ask("I think my landlord has been charging me too much for heating. Can you dispute last year's utility bill with him for me?", offered="list_transactions transfer_money cancel_standing_order split_bill", why="No function writes to a landlord; payments could be listed or stopped, which nobody asked for."),
    ask("Please buy me ten shares of the wind farm company everybody is talking about.", offered="transfer_money get_balance exchange_rate create_standing_order", why="Shares cannot be bought; a transfer is no order at an exchange."),
    ask("What will the dollar be worth in euros next Christmas?", offered="exchange_rate get_balance set_alert", why="Only the rate of now is known."),
    ask("My debit card is fine again, I found it behind the sofa. Please unblock it.", offered="freeze_card order_card set_spending_limit", why="A card can be blocked and ordered, not released."),
    ask("Could you change my postal address with you to Lindenweg 8 in Graz?", offered="order_card find_branch add_payee", why="No function changes the customer's own data."),
    ask("I forgot the PIN of my credit card. Tell me what it is, please.", offered="freeze_card order_card get_balance set_spending_limit", why="No function knows a PIN; a new card was not asked for."),
    ask("Will the tax office accept my home office for 2026, and what do I get back for it?", offered="list_transactions get_balance loan_quote", why="No function knows taxes; payments do not tell."),
    ask("Close my savings account and send me written confirmation.", offered="get_balance transfer_money cancel_standing_order", why="An account cannot be closed; emptying it is something else."),
    ask("Deposit this cheque from my grandmother, I have the photo here.", offered="add_payee transfer_money get_balance find_branch", why="No function takes cheques."),
    ask("Get back the 40 euros that I sent to the wrong Thomas this morning.", offered="transfer_money list_transactions freeze_card", why="A transfer cannot be called back; another one would cost more money."),
    ask("Please let my checking account go as far as 8,000 euros into the red from April on.", offered="set_spending_limit loan_quote get_balance set_alert", why="No function grants an overdraft; the limit of a card and a quote are other things."),
    ask("Is it smarter to pay off my student loan early or to keep the savings? Just tell me what you think.", offered="loan_quote get_balance transfer_money", why="An opinion is asked for, and no figure is given to compute with."),
    ask("Add my wife as a second holder of the checking account.", offered="add_payee transfer_money order_card", why="A payee is no holder of an account."),
    ask("Send my mother flowers for her birthday and put them on the credit card.", offered="transfer_money split_bill set_spending_limit list_transactions", why="The bank sells no flowers; a payment needs a shop that is not named."),
]  # fmt: skip

SEVERAL = [
    ask("How much do I have in checking and in savings?", call("get_balance", account="checking"), call("get_balance", account="savings")),
    ask("My bag was stolen with both cards in it. Block them, please!", call("freeze_card", card="debit", reason="stolen"), call("freeze_card", card="credit", reason="stolen")),
    ask("Send 120 euros to Jana and 75.50 to Mehmet from my checking account.", call("transfer_money", from_account="checking", to="Jana", amount=120), call("transfer_money", from_account="checking", to="Mehmet", amount=75.5)),
    ask("I lost my debit card somewhere on the train. Stop it and have a new one sent the normal way.", call("freeze_card", card="debit", reason="lost"), call("order_card", card="debit")),
    ask("First move 500 euros from savings to checking, then pay Elektro Huber 480 euros from checking.", call("transfer_money", from_account="savings", to=one_of("checking", "checking account"), amount=500), call("transfer_money", from_account="checking", to="Elektro Huber", amount=480), fixed=True, why="The second payment needs the money of the first."),
    ask("What are a pound and a Swiss franc worth in euros today?", call("exchange_rate", source=one_of("GBP", "pound", "pound sterling", "British pound"), target=one_of("EUR", "euro", "euros")), call("exchange_rate", source=one_of("CHF", "Swiss franc", "franc"), target=one_of("EUR", "euro", "euros"))),
    ask("Stop the standing orders to the gym, which is saved as FitPoint, and to Stadtmagazin.", call("cancel_standing_order", to="FitPoint"), call("cancel_standing_order", to="Stadtmagazin")),
    ask("My daughter should get 50 euros pocket money every month from the first of April, and the sports club SV Nord 90 every quarter from the same day. She is saved as Lena.", call("create_standing_order", to="Lena", amount=50, frequency="monthly", first_date="2027-04-01"), call("create_standing_order", to="SV Nord", amount=90, frequency="quarterly", first_date="2027-04-01")),
    ask("What would 15,000 euros for a car cost me a month over three years, and over five?", call("loan_quote", amount=15000, months=36, purpose="car"), call("loan_quote", amount=15000, months=60, purpose="car")),
    ask("Not more than 200 euros a day with the debit card and 1,000 a month with the credit card from now on.", call("set_spending_limit", card="debit", amount=200, period="day"), call("set_spending_limit", card="credit", amount=1000, period="month")),
    ask("Text me when the account falls below 300 euros, and mail me when my salary is in.", call("set_alert", kind="low balance", threshold=300, channel="sms"), call("set_alert", kind="salary received", channel="email")),
    ask("Where can I draw cash in Linz and in Wels?", call("find_branch", city="Linz", service="cash machine"), call("find_branch", city="Wels", service="cash machine")),
    ask("Save my new landlady first, Ruth Adler, IBAN DE02120300000000202051, and then pay her 640 euros from checking.", call("add_payee", name="Ruth Adler", iban=one_of("DE02120300000000202051", "DE02 1203 0000 0000 2020 51")), call("transfer_money", from_account="checking", to="Ruth Adler", amount=640), fixed=True, why="Only a saved payee can be paid."),
    ask("Show me what I spent with the credit card in February, and what came in or went out of checking in the same month.", call("list_transactions", account="credit card", since="2027-02-01", until="2027-02-28"), call("list_transactions", account="checking", since="2027-02-01", until="2027-02-28")),
    ask("Dinner was 96 euros, split it between Ivo, Sara and me. And the taxi was 30, just get that from Ivo and Sara, I am not paying for it.", call("split_bill", total=96, people=each_of("Ivo", "Sara"), include_me=maybe(True)), call("split_bill", total=30, people=each_of("Ivo", "Sara"), include_me=False)),
]  # fmt: skip

SETS = [
    ask("What's a Japanese yen worth in US dollars right now?", call("exchange_rate", source=one_of("JPY", "yen", "Japanese yen"), target=one_of("USD", "US dollar", "US dollars", "dollar", "U.S. dollar")), why="A currency may be named or coded."),
    ask("Please move a thousand euros from checking to my savings on 15 March.", call("transfer_money", from_account="checking", to=one_of("savings", "savings account", "my savings"), amount=1000, date="2027-03-15"), why="The own account has several names."),
    ask("Pay Tischlerei Brandt 1,250.80 from checking today, invoice 3318.", call("transfer_money", from_account="checking", to=one_of("Tischlerei Brandt", "Brandt"), amount=1250.8, date=maybe("2027-03-04"), note=one_of("invoice 3318", "invoice no 3318", "invoice no. 3318", "invoice #3318", "Invoice number 3318", "3318")), why="Today is what is meant where no date is given; the note may be worded in several ways."),
    ask("Has anything above 500 euros gone through checking since New Year?", call("list_transactions", account="checking", since="2027-01-01", until=maybe("2027-03-04"), at_least=one_of(500, 500.01)), why="Until today is the same as no last day; above 500 is from 500 or from a cent more."),
    ask("I need a new credit card, fast.", call("order_card", card="credit", express=True), why="Only the express order is fast."),
    ask("I dropped my credit card into the shredder. Please block what is left of it.", call("freeze_card", card="credit", reason=one_of("damaged", "other")), why="A shredded card is damaged; somebody may call it another reason."),
    ask("Which branch in Salzburg has safe deposit boxes?", call("find_branch", city="Salzburg", service="safe deposit", open_now=maybe(False)), why="Whether it is open was not asked."),
    ask("What would borrowing twenty thousand for a new kitchen come to per month if I pay it back in four years?", call("loan_quote", amount=20000, months=48, purpose=one_of("home", "other")), why="A kitchen belongs to the home; `other` is not wrong."),
    ask("Ping me on the phone whenever a payment of 1,000 euros or more goes out.", call("set_alert", kind="large payment", threshold=1000, channel=maybe("push", "sms")), why="A push message and a text message both reach the phone, and push is the default."),
    ask("Send aunt Vera 30 euros from my savings with best wishes.", call("transfer_money", from_account="savings", to=one_of("Vera", "aunt Vera"), amount=30, date=maybe("2027-03-04"), note=maybe("best wishes", "with best wishes", "best wishes!")), why="The payee may be saved either way; wishes may be taken for the note or for a figure of speech."),
    ask("Split the 84 euro electricity bill with my flatmates Noor and Pia, all three of us pay the same.", call("split_bill", total=84, people=each_of("Noor", "Pia"), include_me=maybe(True)), why="The order of names does not matter, and including the customer is the default."),
    ask("Set up a hundred euros to Unicef once a year, starting 1 December.", call("create_standing_order", to=one_of("Unicef", "UNICEF"), amount=100, frequency="yearly", first_date="2027-12-01"), why="The next first of December is in this year."),
    ask("What did I spend at Billa in January with my credit card?", call("list_transactions", account="credit card", since="2027-01-01", until="2027-01-31", merchant="Billa"), why="The month is given by its first and last day."),
    ask("Let my credit card spend at most 150 euros per week.", call("set_spending_limit", card="credit", amount=one_of(150, 150.0), period="week"), why="An integer is a number."),
    ask("Is a cash machine open in Bregenz at this hour?", call("find_branch", city="Bregenz", service="cash machine", open_now=True), why="It must be open now."),
]  # fmt: skip


def queries() -> list[Query]:
    """The queries by category."""
    return queries_of("banking", FUNCTIONS, {"nothing": NOTHING, "several": SEVERAL, "sets": SETS})
