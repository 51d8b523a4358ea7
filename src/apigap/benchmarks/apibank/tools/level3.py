"""The APIs of level 3: small fixed tables, and state that lives as long as the system."""

import copy
from collections.abc import Mapping
from typing import Any

from apigap.benchmarks.apibank.errors import MISSING_ARGUMENT, ApiError, Refused
from apigap.benchmarks.apibank.scoring.rules import equal, rule, topic
from apigap.benchmarks.apibank.times import DAY, TIME, parse
from apigap.benchmarks.apibank.tools import tables
from apigap.benchmarks.apibank.tools.pools import PLANNING
from apigap.benchmarks.apibank.world import World

_E3 = rule(all_inputs=True, api_name=True)
"""Everything equal; another API's name is an error of the released check, and wrong all the same."""


@PLANNING.add("AccountInfo", "username password", output="account_info", rule=_E3)
def account_info(world: World, username: str, password: str) -> Any:
    """Gives the mail address and telephone number of a user."""
    for user, secret, email, phone in tables.ACCOUNTS:
        if (user, secret) == (username, password):
            return {"email": email, "phone": phone}
    raise ApiError("User not found.")


@PLANNING.add(
    "PersonalInfoUpdate", "username password address", rule=rule(all_inputs=True, exception=False, api_name=True)
)
def personal_info_update(world: World, username: str, password: str, address: str) -> Any:
    """Changes a user's address."""
    if not any((user, secret) == (username, password) for user, secret, _, _ in tables.ACCOUNTS):
        raise ApiError("User not found.")
    world.memory[username] = address
    return {"status": "success"}


@PLANNING.add("OrganizationMembers", "organization", output="members", rule=_E3)
def organization_members(world: World, organization: str) -> Any:
    """Lists who belongs to an organisation."""
    return {"members": list(tables.MEMBERS[organization])}


@PLANNING.add("TravelStatus", "member_name", output="status", rule=_E3)
def travel_status(world: World, member_name: str) -> Any:
    """Tells where somebody works today."""
    return tables.TRAVEL[member_name]


@PLANNING.add("QueryMeeting", "user_name", output="meetings", rule=_E3)
def query_meeting(world: World, user_name: str) -> Any:
    """Lists somebody's meetings."""
    return {"meetings": copy.deepcopy(tables.MEETINGS[user_name])}


@PLANNING.add("AddMeeting", "meeting_topic start_time end_time location attendees:list(str)", rule=topic)
def add_meeting(world: World, meeting_topic: str, start_time: str, end_time: str, location: str, attendees: Any) -> Any:
    """Reserves a meeting."""
    parse(start_time)
    parse(end_time)
    if not meeting_topic.strip():
        raise ApiError("Meeting Topic should not be null")
    world.memory.setdefault("meetings", []).append((meeting_topic, start_time, end_time, location, attendees))
    return "success"


@PLANNING.add(
    "EmailReminder", "content time location recipient",
    rule=rule({"time": equal, "location": equal, "recipient": equal}, api_name=True),
)  # fmt: skip
def email_reminder(world: World, content: str, time: str, location: str, recipient: str) -> Any:
    """Sends a reminder by mail; nothing leaves this machine."""
    parse(time)
    if not content.strip():
        raise ApiError("Content should not be empty")
    return "success"


@PLANNING.add("UserPosts", "user_id:int", output="post_ids", rule=_E3)
def user_posts(world: World, user_id: int) -> Any:
    """Lists a user's posts."""
    posts = {user: [3 * user - 2, 3 * user - 1, 3 * user] for user in range(1, 6)}
    return {"post_ids": posts[user_id]}


@PLANNING.add("LikeCount", "post_id:int", output="like_count", rule=_E3)
def like_count(world: World, post_id: int) -> Any:
    """Counts the likes of a post."""
    if post_id not in range(1, 16):
        raise ApiError(f"Post with ID {post_id} does not exist.")
    return {"like_count": 10 * post_id}


@PLANNING.add("UserMoviePreferences", "user_name", output="preferences", rule=_E3)
def user_movie_preferences(world: World, user_name: str) -> Any:
    """Tells which kinds of films somebody likes."""
    return {"preferences": list(tables.PREFERENCES[user_name])}


@PLANNING.add("UserWatchedMovies", "user_name", output="watched_movies", rule=_E3)
def user_watched_movies(world: World, user_name: str) -> Any:
    """Lists the films that somebody has seen."""
    if user_name not in tables.WATCHED:
        raise ApiError("User not found.")
    return list(tables.WATCHED[user_name])


@PLANNING.add("MovieRecommendations", "preferences:list", output="recommended_movies", rule=_E3)
def movie_recommendations(world: World, preferences: Any) -> Any:
    """Recommends films of some kinds."""
    return {"recommended_movies": [movie for kind in preferences for movie in tables.MOVIES[kind]]}


@PLANNING.add("GetOccupationSalary", "occupation", output="salary", rule=_E3)
def get_occupation_salary(world: World, occupation: str) -> Any:
    """Tells what an occupation pays."""
    if occupation not in tables.SALARIES:
        raise ApiError("The occupation is not in the database.")
    return {"salary": tables.SALARIES[occupation]}


def _salary(new: Mapping[str, Any], truth: Mapping[str, Any]) -> bool:
    return (
        new["api_name"] == truth["api_name"]
        and new["input"]["salary"] == truth["input"]["salary"]
        and new["output"]["salary_after_tax"] == truth["output"]["salary_after_tax"]
        and new["exception"] == truth["exception"]
    )


@PLANNING.add("TaxCalculator", "salary:float", output="salary_after_tax", rule=_salary)
def tax_calculator(world: World, salary: float) -> Any:
    """Takes the tax off a salary."""
    rate = next(rate for least, rate in tables.TAXES if salary >= least)
    return {"salary_after_tax": salary - salary * rate}


@PLANNING.add("Geocoding", "address", output="coordinates", rule=_E3)
def geocoding(world: World, address: str) -> Any:
    """Gives the coordinates of a city."""
    latitude, longitude = tables.PLACES[address]
    return {"latitude": latitude, "longitude": longitude}


@PLANNING.add(
    "GetWeatherForCoordinates", "latitude:float longitude:float", output="weather", rule=rule(all_inputs=True)
)
def get_weather_for_coordinates(world: World, latitude: float, longitude: float) -> Any:
    """Tells the weather at some coordinates."""
    for name, place in tables.PLACES.items():
        if place == (latitude, longitude):
            temperature, humidity, description = tables.WEATHER[name]
            return {"temperature": temperature, "humidity": humidity, "description": description}
    raise Refused(MISSING_ARGUMENT, "'NoneType' object is not subscriptable")


@PLANNING.add(
    "ClothingRecommendation", "temperature:float humidity:float weather_conditions", output="clothing_options", rule=_E3
)
def clothing_recommendation(world: World, temperature: float, humidity: float, weather_conditions: str) -> Any:
    """Says what to wear."""
    options = list(next(clothes for least, clothes in tables.CLOTHES if temperature >= least))
    if humidity > 70:
        options += ["Umbrella", "Waterproof shoes"]
    if "rain" in weather_conditions.lower():
        options.append("Raincoat")
    return {"clothing_options": options}


@PLANNING.add(
    "NearbyRestaurants", "latitude:float longitude:float distance:int", output="restaurants",
    rule=rule(all_inputs=True, output=False, exception=False, api_name=True),
)  # fmt: skip
def nearby_restaurants(world: World, latitude: float, longitude: float, distance: int) -> Any:
    """Lists restaurants."""
    cities = ("New York City", "San Francisco") * 2
    return {
        "restaurants": [
            {"coordinates": tables.PLACES[city], "name": f"Restaurant {letter}"}
            for city, letter in zip(cities, "ABCD", strict=True)
        ]
    }


@PLANNING.add("FlightSearch", "source destination travel_dates", output="flights", rule=_E3)
def flight_search(world: World, source: str, destination: str, travel_dates: str) -> Any:
    """Finds flights of a day."""
    day = parse(travel_dates, DAY).date()
    flights = world.memory.setdefault("flights", _flights())
    found: list[dict[str, Any]] = []
    for flight in flights:
        there = (flight["source"], flight["destination"]) == (source, destination)
        if there and flight["departure_date"].date() == day:  # as released: one that was found before is text by now
            for key in ("departure_date", "arrival_date"):
                flight[key] = flight[key].strftime(TIME)
            found.append(flight)
    return {"flights": found}


def _flights() -> list[dict[str, Any]]:
    return [
        {
            "source": source, "destination": destination,
            "departure_date": parse(f"{day} 12:00:00"), "arrival_date": parse(f"{day} 15:00:00"),
        }
        for source, destination, day in tables.FLIGHTS
    ]  # fmt: skip


def _hotels_agree(new: Mapping[str, Any], truth: Mapping[str, Any]) -> bool:
    names = ("destination", "check_in_date", "check_out_date")
    return (
        new["api_name"] == truth["api_name"]
        and all(new["input"][name] == truth["input"][name] for name in names)
        and new["output"]["hotels"] == truth["output"]["hotels"]
    )


@PLANNING.add("HotelAvailability", "destination check_in_date check_out_date", output="hotels", rule=_hotels_agree)
def hotel_availability(world: World, destination: str, check_in_date: str, check_out_date: str) -> Any:
    """Finds free hotels."""
    begin, end = parse(check_in_date, DAY), parse(check_out_date, DAY)
    hotels = world.memory.setdefault("hotels", _hotels())
    found: list[dict[str, Any]] = []
    for hotel in hotels:
        inside = hotel["destination"] == destination and _inside(hotel, begin, end)
        if inside:
            for key in ("check_in_date", "check_out_date"):
                hotel[key] = hotel[key].strftime(DAY)
            found.append(hotel)
    return {"hotels": found}


def _inside(hotel: Mapping[str, Any], begin: Any, end: Any) -> bool:
    return hotel["check_in_date"] <= begin and hotel["check_out_date"] >= end


def _hotels() -> list[dict[str, Any]]:
    return [
        {
            "destination": "San Francisco", "check_in_date": parse(f"2022-01-0{k}", DAY),
            "check_out_date": parse(f"2022-01-0{k + 1}", DAY),
        }
        for k in range(1, 6)
    ]  # fmt: skip
