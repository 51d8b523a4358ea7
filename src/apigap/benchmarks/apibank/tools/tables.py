"""The fixed tables of level 3 (facts of the published data)."""

from typing import Any

ACCOUNTS = (
    ("John", "123456", "john@example.com", "1234567890"),
    ("Mary", "abcdef", "mary@example.com", "0987654321"),
    ("Peter", "qwerty", "peter@example.com", "1231231234"),
    ("Tom", "asdfgh", "tom@example.com", "4564564567"),
    ("Jerry", "zxcvbn", "jerry@example.com", "7897897890"),
)
MEMBERS = {
    "Alibaba": ("John", "Mary", "Peter"), "Tencent": ("Tom", "Jerry"), "Baidu": ("Jack", "Rose"),
    "ByteDance": ("Bob", "Alice"), "JD": ("Mike", "Jane"),
}  # fmt: skip
_STATUS = {
    "Traveling": ("John", "Tom", "Bob"),
    "Working from home": ("Mary", "Jerry", "Alice"),
    "Working from office": ("Peter", "Jack", "Rose", "Mike", "Jane"),
}
TRAVEL = {name: status for status, names in _STATUS.items() for name in names}


def _meeting(number: int, name: str, time: str, room: str, attendees: list[str]) -> dict[str, Any]:
    return {
        "meeting_id": number, "meeting_name": name, "meeting_time": time, "meeting_location": room,
        "meeting_attendees": attendees,
    }  # fmt: skip


_THREE, _TWO = ["John", "Mary", "Peter"], ["Tom", "Jerry"]
_CLIENT = [
    _meeting(1, "Meeting with the client", "2021-01-01 10:00:00", "Room 1", _THREE),
    _meeting(2, "Meeting about the new project", "2021-01-02 10:00:00", "Room 2", _THREE),
]
_OTHER = [_meeting(1, "Meeting", "2021-01-01 10:00:00", "Room 1", _TWO)]
MEETINGS = {**dict.fromkeys(_THREE, _CLIENT), **dict.fromkeys(_TWO, _OTHER)}
PREFERENCES = {
    "John": ("Action", "Comedy", "Drama"), "Tom": ("Action", "Comedy", "Drama"),
    "Mary": ("Comedy", "Drama", "Romance"), "Jerry": ("Comedy", "Drama", "Romance"),
    "Peter": ("Action", "Drama", "Thriller"),
}  # fmt: skip
_MATRIX, _RINGS, _KNIGHT = "The Matrix", "The Lord of the Rings", "The Dark Knight"
WATCHED = {
    **dict.fromkeys(("John", "Peter", "Jerry"), (_MATRIX, _RINGS, _KNIGHT)),
    **dict.fromkeys(("Mary", "Tom"), (_RINGS, _KNIGHT, _MATRIX)),
}
MOVIES = {
    "Action": (_KNIGHT, _MATRIX, _RINGS),
    "Comedy": ("The Hangover", "Knives Out", "Deadpool"),
    "Drama": ("The Shawshank Redemption", "Forrest Gump", "Joker"),
    "Romance": ("Titanic", "La La Land", "The Notebook"),
    "Thriller": ("Inception", "Parasite", "Get Out"),
}
SALARIES = {
    "Financial Analyst": 100000, "Software Engineer": 120000, "Data Scientist": 150000, "Product Manager": 130000,
    "Doctor": 200000,
}  # fmt: skip
TAXES = ((5000, 0.3), (3000, 0.2), (1000, 0.1), (float("-inf"), 0))
"""One flat rate by the least salary that it is for."""
PLACES = {
    "New York City": (40.7128, 74.0060), "San Francisco": (37.7749, 122.4194), "London": (51.5074, 0.1278),
    "Paris": (48.8566, 2.3522), "Tokyo": (35.6762, 139.6503),
}  # fmt: skip
WEATHER = {
    "New York City": (10, 0.5, "Clear"), "San Francisco": (20, 0.8, "Cloudy"), "London": (5, 0.9, "Rainy"),
    "Paris": (15, 0.7, "Sunny"), "Tokyo": (25, 0.6, "Rainy"),
}  # fmt: skip
CLOTHES = (
    (30, ("Sun hat", "Sunglasses", "Loose-fitting clothes")),
    (20, ("T-shirt", "Shorts")),
    (10, ("Light jacket", "Long-sleeved shirt")),
    (float("-inf"), ("Warm coat", "Hat", "Gloves")),
)
FLIGHTS = (
    ("New York", "San Francisco", "2022-01-01"), ("Los Angeles", "San Francisco", "2022-01-02"),
    ("London", "San Francisco", "2022-01-03"), ("New York", "London", "2022-01-04"),
    ("New York", "Los Angeles", "2022-01-05"),
)  # fmt: skip
