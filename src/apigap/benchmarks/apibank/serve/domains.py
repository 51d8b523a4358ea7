"""What the APIs are about: the groups in which the page lists them."""

DOMAINS: dict[str, tuple[str, ...]] = {
    "Accounts": (
        "GetUserToken", "CheckToken", "RegisterUser", "ModifyPassword", "ForgotPassword", "DeleteAccount",
        "AccountInfo", "PersonalInfoUpdate",
    ),
    "Calendar": (
        "GetToday", "AddAgenda", "QueryAgenda", "ModifyAgenda", "DeleteAgenda", "AddMeeting", "QueryMeeting",
        "ModifyMeeting", "DeleteMeeting", "AddReminder", "QueryReminder", "ModifyReminder", "DeleteReminder",
        "AddAlarm", "QueryAlarm", "ModifyAlarm", "DeleteAlarm",
    ),
    "Health": (
        "SymptomSearch", "EmergencyKnowledge", "AppointmentRegistration", "QueryRegistration", "ModifyRegistration",
        "CancelRegistration", "QueryHealthData", "RecordHealthData",
    ),
    "Home": ("AddScene", "QueryScene", "ModifyScene", "DeleteScene", "TimedSwitch", "CancelTimedSwitch"),
    "Money and travel": (
        "OpenBankAccount", "QueryBalance", "QueryStock", "BookHotel", "GetOccupationSalary", "TaxCalculator",
        "FlightSearch", "HotelAvailability",
    ),
    "Places and weather": (
        "Geocoding", "GetWeatherForCoordinates", "ClothingRecommendation", "NearbyRestaurants",
    ),
    "People and posts": (
        "OrganizationMembers", "TravelStatus", "EmailReminder", "SendEmail", "UserPosts", "LikeCount",
    ),
    "Films and music": ("UserMoviePreferences", "UserWatchedMovies", "MovieRecommendations", "PlayMusic"),
    "Looking things up": (
        "ToolSearcher", "Calculator", "Wiki", "Dictionary", "Translate", "SearchEngine", "QueryHistoryToday",
        "DocumentQA", "ImageCaption", "SpeechRecognition",
    ),
}  # fmt: skip
"""The names of the APIs by domain, in the order in which they are shown; both pools together."""
