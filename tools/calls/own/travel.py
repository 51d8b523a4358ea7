"""Queries of people who travel."""

from apigap.benchmarks.calls.queries import Query
from tools.calls.own.writing import ask, call, choice, clock, day, each_of, flag, function, maybe, one_of, queries_of
from tools.calls.own.writing import several as listed
from tools.calls.own.writing import text, whole

_CABIN = choice("economy", "premium", "business", default="economy")
FUNCTIONS = [
    function(
        "search_flights", "Flights between two cities.", "origin destination depart",
        origin=text("City or airport code."), destination=text("City or airport code."), depart=day("Outward flight"),
        back=day("Flight back; left out for one way"), passengers=whole("Travellers.", default=1), cabin=_CABIN,
        direct_only=flag("No changes.", default=False),
    ),
    function(
        "search_trains", "Trains between two stations.", "origin destination date",
        origin=text("City or station."), destination=text("City or station."), date=day("The day"),
        after=clock("Not before"), first_class=flag("First class.", default=False),
    ),
    function(
        "book_hotel", "Books a room in the hotel that suits best.", "city check_in nights",
        city=text("The town."), check_in=day("First night"), nights=whole("Nights.", minimum=1),
        guests=whole("People in the room.", default=1), breakfast=flag("With breakfast.", default=False),
    ),
    function("get_weather", "The forecast for a town and a day.", "city date", city=text("The town."), date=day("The day")),
    function(
        "rent_car", "Reserves a car.", "city pick_up days",
        city=text("The town."), pick_up=day("First day"), days=whole("Days.", minimum=1),
        size=choice("small", "family", "van", default="small"), automatic=flag("Automatic gears.", default=False),
    ),
    function(
        "check_visa", "Whether a visa is needed.", "nationality destination",
        nationality=text("The passport's country or nationality."), destination=text("The country to go to."),
    ),
    function(
        "flight_status", "Whether a flight is on time.", "flight", flight=text("Flight number."), date=day("The day; today, where it is left out"),
    ),
    function(
        "find_restaurant", "Restaurants in a town.", "city",
        city=text("The town."), cuisine=text("Kind of food."), price=choice("cheap", "moderate", "expensive"),
        party=whole("People."),
    ),
    function(
        "translate_phrase", "A phrase in another language.", "phrase language",
        phrase=text("What is to be said, in English."), language=text("The language."),
    ),
    function("time_in", "The time of day in a town now.", "city", city=text("The town.")),
    function(
        "add_to_itinerary", "Notes things to do on a day of the trip.", "date items",
        date=day("The day"), items=listed("Things to do."),
    ),
    function(
        "insure_trip", "The price of travel insurance.", "destination days travellers",
        destination=text("The country to go to."), days=whole("Days."),
        travellers=listed(
            "Those who travel.",
            {
                "type": "object", "required": ["name", "age"], "additionalProperties": False,
                "properties": {"name": text("First name."), "age": whole("Age in years.")},
            },
        ),
    ),
    function(
        "airport_transfer", "Books a car from or to an airport.", "airport date time",
        airport=text("Name or code of the airport."), date=day("The day"), time=clock("When to be picked up"),
        passengers=whole("Travellers.", default=1),
    ),
    function(
        "reserve_museum", "Tickets for a museum.", "museum date tickets",
        museum=text("The museum."), date=day("The day"), tickets=whole("How many."),
    ),
]  # fmt: skip

NOTHING = [
    ask("My suitcase did not arrive in Lisbon last night. Please report it to the airline.", offered="flight_status airport_transfer search_flights insure_trip", why="No function reports lost luggage; the state of the flight does not find it."),
    ask("Cancel the hotel in Bologna that I booked for next week.", offered="book_hotel search_trains get_weather", why="Hotels can be booked, not cancelled."),
    ask("Apply for a visa to India for me, I have a Brazilian passport.", offered="check_visa insure_trip search_flights", why="Whether one is needed can be checked; applying is something else, and that it is needed is taken as known."),
    ask("Move my seat on tonight's flight LX 1842 to the window.", offered="flight_status search_flights airport_transfer", why="Seats cannot be changed."),
    ask("How was the weather in Porto on the day of the storm in 1987?", offered="get_weather time_in add_to_itinerary", why="A forecast says nothing of the past."),
    ask("Recommend me a novel that is set in Naples to read on the plane.", offered="find_restaurant reserve_museum add_to_itinerary search_flights", why="No function knows books."),
    ask("Book me a ferry from Split to Hvar on 2 July.", offered="search_trains search_flights rent_car book_hotel", why="Neither trains nor flights go to sea."),
    ask("Which vaccinations do I need for Kenya?", offered="check_visa insure_trip get_weather find_restaurant", why="Visas are known, vaccinations are not."),
    ask("Rebook my train of this afternoon to the one at six, I am stuck in a meeting.", offered="search_trains time_in airport_transfer", why="Trains can be looked up; neither the train nor its cities are told, and nothing changes a booking."),
    ask("Hire a motorbike for me in Hanoi for three days from 9 May, I do not drive cars.", offered="rent_car book_hotel search_flights", why="Only cars can be rented, which the customer does not drive."),
    ask("Claim the compensation for my delayed flight from Oslo, please.", offered="flight_status search_flights insure_trip", why="No function makes claims."),
    ask("What does the tip usually come to in a New York taxi?", offered="airport_transfer find_restaurant time_in translate_phrase", why="A custom is asked for, which no function knows."),
    ask("Tell the restaurant Da Enzo that we will be half an hour late tonight.", offered="find_restaurant translate_phrase add_to_itinerary", why="Restaurants can be found, not called."),
    ask("Extend my rental car in Malaga by two days, the contract is 77-1034.", offered="rent_car book_hotel search_flights", why="A new reservation would be a second car."),
]  # fmt: skip

_MUNICH = one_of("Munich", "München", "MUC")
SEVERAL = [
    ask("What will the weather be like in Rome and in Naples this Saturday?", call("get_weather", city=one_of("Rome", "Roma"), date="2027-03-06"), call("get_weather", city=one_of("Naples", "Napoli"), date="2027-03-06")),
    ask("I fly from Vienna to Paris on 12 April and would like a room there for the three nights, with breakfast please. Look for flights and book the room.", call("search_flights", origin=one_of("Vienna", "VIE", "Wien"), destination=one_of("Paris", "CDG", "PAR"), depart="2027-04-12", back=maybe("2027-04-15")), call("book_hotel", city="Paris", check_in="2027-04-12", nights=3, breakfast=True), why="Three nights end on the 15th, which may be taken for the day of the flight back."),
    ask("How late is it in Tokyo, and in Santiago?", call("time_in", city="Tokyo"), call("time_in", city=one_of("Santiago", "Santiago de Chile"))),
    ask("How do I say 'where is the station' in Polish and in Czech?", call("translate_phrase", phrase=one_of("where is the station", "where is the station?"), language="Polish"), call("translate_phrase", phrase="where is the station", language="Czech")),
    ask("Do Mexicans need a visa for Canada? And for Japan?", call("check_visa", nationality=one_of("Mexican", "Mexico", "Mexicans"), destination="Canada"), call("check_visa", nationality=one_of("Mexican", "Mexico", "Mexicans"), destination="Japan")),
    ask("Are OS 451 and BA 704 on time today?", call("flight_status", flight=one_of("OS 451", "OS451"), date=maybe("2027-03-04")), call("flight_status", flight=one_of("BA 704", "BA704"), date=maybe("2027-03-04"))),
    ask("Find trains from Munich to Verona on 20 March and from Verona to Venice on the 23rd.", call("search_trains", origin=_MUNICH, destination="Verona", date="2027-03-20"), call("search_trains", origin="Verona", destination=one_of("Venice", "Venezia"), date="2027-03-23")),
    ask("We need two tickets for the Prado on 5 June and two for the Reina Sofia on the 6th.", call("reserve_museum", museum=one_of("Prado", "the Prado", "Museo del Prado", "Prado Museum"), date="2027-06-05", tickets=2), call("reserve_museum", museum=one_of("Reina Sofia", "Reina Sofía", "Museo Reina Sofia", "the Reina Sofia"), date="2027-06-06", tickets=2)),
    ask("Book a hotel in Lyon for two from 3 May, two nights, and after that one in Nice for two for four nights.", call("book_hotel", city="Lyon", check_in="2027-05-03", nights=2, guests=2), call("book_hotel", city="Nice", check_in="2027-05-05", nights=4, guests=2), why="The second stay begins when the first ends; in which order they are booked does not matter."),
    ask("First see whether flight LH 98 tomorrow is on time, and only then book me a car to Frankfurt airport for 05:30 tomorrow.", call("flight_status", flight=one_of("LH 98", "LH98"), date="2027-03-05"), call("airport_transfer", airport=one_of("Frankfurt", "Frankfurt airport", "FRA"), date="2027-03-05", time="05:30", passengers=maybe(1)), fixed=True, why="The customer wants the one before the other."),
    ask("Cheap Thai food in Berlin, and something expensive and French in Hamburg: what is there?", call("find_restaurant", city="Berlin", cuisine="Thai", price="cheap"), call("find_restaurant", city="Hamburg", cuisine="French", price="expensive")),
    ask("Put the Alhambra and the tapas tour on 8 May, and the drive to Ronda on 9 May.", call("add_to_itinerary", date="2027-05-08", items=each_of(one_of("Alhambra", "the Alhambra", "visit the Alhambra", "visit Alhambra"), one_of("tapas tour", "the tapas tour"))), call("add_to_itinerary", date="2027-05-09", items=[one_of("drive to Ronda", "the drive to Ronda")])),
    ask("I land in Faro on 1 August and want a small car there for six days. How will the weather be on the first day?", call("rent_car", city="Faro", pick_up="2027-08-01", days=6, size=maybe("small")), call("get_weather", city="Faro", date="2027-08-01")),
    ask("Compare direct flights from Zurich to Athens on 10 and on 11 September for four people, one way.", call("search_flights", origin=one_of("Zurich", "Zürich", "ZRH"), destination=one_of("Athens", "ATH"), depart="2027-09-10", passengers=4, direct_only=True), call("search_flights", origin=one_of("Zurich", "Zürich", "ZRH"), destination=one_of("Athens", "ATH"), depart="2027-09-11", passengers=4, direct_only=True)),
    ask("Start with a translation of 'I am allergic to nuts' into Greek, then find us a moderate place to eat in Chania for five.", call("translate_phrase", phrase=one_of("I am allergic to nuts", "I'm allergic to nuts"), language=one_of("Greek", "Modern Greek")), call("find_restaurant", city="Chania", price="moderate", party=5), fixed=True, why="The customer gives the order."),
]  # fmt: skip

SETS = [
    ask("Any flights from New York to San Francisco on 18 May, coming back on the 25th?", call("search_flights", origin=one_of("New York", "New York City", "NYC", "JFK"), destination=one_of("San Francisco", "SFO"), depart="2027-05-18", back="2027-05-25", passengers=maybe(1), cabin=maybe("economy"), direct_only=maybe(False)), why="Cities may be named or coded; what is left open has its default."),
    ask("Trains from Köln to Bruxelles tomorrow after nine in the morning, please.", call("search_trains", origin=one_of("Köln", "Cologne", "Koeln", "Köln Hbf"), destination=one_of("Bruxelles", "Brussels", "Brüssel"), date="2027-03-05", after="09:00", first_class=maybe(False)), why="Cities have names in several languages."),
    ask("Does somebody with a US passport need a visa for the UK?", call("check_visa", nationality=one_of("US", "USA", "American", "United States", "United States of America", "U.S."), destination=one_of("UK", "United Kingdom", "Great Britain", "the UK", "U.K.")), why="Countries have short and long names."),
    ask("Will it rain in Bombay on the first of May?", call("get_weather", city=one_of("Bombay", "Mumbai"), date="2027-05-01"), why="The city has an old and a new name."),
    ask("I'd like a van with automatic gears in Palermo, 14 to 18 June.", call("rent_car", city="Palermo", pick_up="2027-06-14", days=one_of(4, 5), size="van", automatic=True), why="From the 14th to the 18th are four nights or five days, as one counts."),
    ask("A room in Ghent for my wife and me from the 9th of April, three nights, no breakfast.", call("book_hotel", city=one_of("Ghent", "Gent"), check_in="2027-04-09", nights=3, guests=2, breakfast=maybe(False)), why="No breakfast is the default, and may be said."),
    ask("What would insuring Ada, 34, and little Tom, 6, cost for ten days in Iceland?", call("insure_trip", destination="Iceland", days=10, travellers=each_of({"name": "Ada", "age": 34}, {"name": one_of("Tom", "little Tom"), "age": 6})), why="The order of travellers does not matter."),
    ask("We're six and hungry for sushi in Düsseldorf. It mustn't cost much.", call("find_restaurant", city=one_of("Düsseldorf", "Dusseldorf", "Duesseldorf"), cuisine=one_of("sushi", "Japanese"), price="cheap", party=6), why="Sushi is Japanese food."),
    ask("Please pick us up at Heathrow at a quarter past four in the afternoon on 22 July, we are three.", call("airport_transfer", airport=one_of("Heathrow", "London Heathrow", "Heathrow Airport", "LHR"), date="2027-07-22", time="16:15", passengers=3), why="The airport has several names; the time has one."),
    ask("How do you say thank you very much in Farsi?", call("translate_phrase", phrase=one_of("thank you very much", "thank you very much!"), language=one_of("Farsi", "Persian")), why="The language has two names."),
    ask("What time is it in Saigon?", call("time_in", city=one_of("Saigon", "Ho Chi Minh City", "Ho-Chi-Minh City")), why="The city has an old and a new name."),
    ask("Business class for two from Dublin to Boston on 30 April, just there. With or without a change, I don't mind.", call("search_flights", origin=one_of("Dublin", "DUB"), destination=one_of("Boston", "BOS"), depart="2027-04-30", passengers=2, cabin="business", direct_only=maybe(False)), why="Changes do not matter, which is the default."),
    ask("Is today's KL 1234 delayed?", call("flight_status", flight=one_of("KL 1234", "KL1234", "KL-1234"), date=maybe("2027-03-04")), why="Today is meant where no day is given."),
    ask("Get four tickets for the Uffizi on Easter Monday, that's the 29th of March.", call("reserve_museum", museum=one_of("Uffizi", "the Uffizi", "Uffizi Gallery", "Galleria degli Uffizi"), date="2027-03-29", tickets=4), why="The museum has several names."),
    ask("For 3 June note: swim at Cala Luna, pick up Grandpa at the port.", call("add_to_itinerary", date="2027-06-03", items=each_of(one_of("swim at Cala Luna", "swimming at Cala Luna"), one_of("pick up Grandpa at the port", "pick Grandpa up at the port"))), why="Both things may stand in either order."),
]  # fmt: skip


def queries() -> list[Query]:
    """The queries by category."""
    return queries_of("travel", FUNCTIONS, {"nothing": NOTHING, "several": SEVERAL, "sets": SETS})
