"""Hospital appointments, health data and symptoms."""

from typing import Any

from apigap.benchmarks.apibank.errors import ApiError
from apigap.benchmarks.apibank.scoring.rules import (
    by,
    fresh,
    optional,
    raised,
    rule,
    same_day,
    same_instant,
    same_time,
    stripped,
)
from apigap.benchmarks.apibank.times import instant, normal
from apigap.benchmarks.apibank.tools.pools import DIALOGUE
from apigap.benchmarks.apibank.world import World


@DIALOGUE.add(
    "AppointmentRegistration", "patient_name date doctor_name", output="appointment_id", database="Appointments",
    rule=fresh({"patient_name": by(stripped), "date": same_day, "doctor_name": by(stripped)}),
)  # fmt: skip
def appointment_registration(world: World, patient_name: str, date: str, doctor_name: str) -> Any:
    """Registers a patient with a doctor for a day."""
    patient, doctor = patient_name.strip(), doctor_name.strip()
    if not patient or not doctor:
        raise ApiError("Patient name or doctor name cannot be empty.")
    day = normal(date)
    for row in world.rows.values():
        if row["patient_name"] == patient and normal(row["date"]) == day:
            if row["doctor_name"] == doctor:
                raise ApiError("This appointment has already been registered.")
            raise ApiError("This patient has already been registered in this day.")
    number = str(world.system.random.randint(10_000_000, 99_999_999))
    while number in world.rows:
        number = str(world.system.random.randint(10_000_000, 99_999_999))
    world.rows[number] = {"patient_name": patient, "date": day, "doctor_name": doctor}
    return number


@DIALOGUE.add(
    "CancelRegistration", "appointment_id", database="Appointments", rule=rule({"appointment_id": by(stripped)})
)
def cancel_registration(world: World, appointment_id: str) -> Any:
    """Cancels an appointment."""
    number = appointment_id.strip()
    if number not in world.rows:
        raise ApiError("The appointment ID is incorrect.")
    del world.rows[number]
    return "success"


@DIALOGUE.add(
    "ModifyRegistration", "appointment_id new_appointment_date? new_appointment_doctor?", database="Appointments",
    rule=rule({
        "appointment_id": by(stripped), "new_appointment_date": optional(same_day),
        "new_appointment_doctor": optional(by(stripped)),
    }),
)  # fmt: skip
def modify_registration(
    world: World, appointment_id: str, new_appointment_date: str | None, new_appointment_doctor: str | None
) -> Any:
    """Moves an appointment to another day or doctor."""
    number = appointment_id.strip()
    if number not in world.rows:
        raise ApiError("The appointment ID does not exist.")
    doctor = new_appointment_doctor.strip() if new_appointment_doctor is not None else None
    if doctor == "":
        raise ApiError("Fail because the doctor name is empty.")
    day = normal(new_appointment_date) if new_appointment_date is not None else None
    row = world.rows[number]
    _check_changed(day is None, doctor is None, day == row["date"], doctor == row["doctor_name"])
    row.update({"date": day} if day is not None else {}, **({"doctor_name": doctor} if doctor is not None else {}))
    return "success"


def _check_changed(no_day: bool, no_doctor: bool, same_date: bool, same_doctor: bool) -> None:
    if (no_day and no_doctor) or (same_date and same_doctor):
        raise ApiError("Fail because no modification is made.")
    if same_doctor:
        raise ApiError("Fail because doctor is not changed.")
    if same_date:
        raise ApiError("Fail because date is not changed.")


@DIALOGUE.add(
    "QueryRegistration", "patient_name date", output="appointments", database="Appointments",
    rule=rule({"patient_name": by(stripped), "date": same_day}),
)  # fmt: skip
def query_registration(world: World, patient_name: str, date: str) -> Any:
    """Shows a patient's appointments of a day."""
    patient, day = patient_name.strip(), normal(date)
    found = {
        number: row for number, row in world.rows.items()
        if row["patient_name"] == patient and normal(row["date"]) == day
    }  # fmt: skip
    if not found:
        raise ApiError("No appointments found.")
    return found


@DIALOGUE.add(
    "QueryHealthData", "user_id start_time end_time", output="health_data", database="HealthData",
    rule=rule({"user_id": by(raised), "start_time": same_instant, "end_time": same_instant}),
)  # fmt: skip
def query_health_data(world: World, user_id: str, start_time: str, end_time: str) -> Any:
    """Shows what was measured in a span of time."""
    user = user_id.upper().strip()
    if not user:
        raise ApiError("The user id cannot be empty.")
    start, end = _both(start_time, end_time)
    if start > end:
        raise ApiError("The start time cannot be later than the end time.")
    if user not in world.rows:
        raise ApiError("The user id does not exist.")
    found = [record for record in world.rows[user] if start <= instant(record["time"]) <= end]
    if not found:
        raise ApiError("There is no health data in the given time span.")
    return found


def _both(*times: str) -> list[Any]:
    """Both instants.

    Raises:
        ApiError: with what is wrong with each of them.
    """
    found: list[Any] = []
    wrong: list[str] = []
    for time in times:
        try:
            found.append(instant(time))
        except ValueError as error:
            wrong.append(str(error))
    if wrong:
        raise ApiError("; ".join(wrong))
    return found


@DIALOGUE.add(
    "RecordHealthData", "user_id time health_data:list?", database="HealthData",
    rule=rule({"user_id": by(raised), "time": same_time}),
)  # fmt: skip
def record_health_data(world: World, user_id: str, time: str, health_data: Any) -> Any:
    """Keeps what was measured at a time."""
    user = user_id.upper().strip()
    if not user:
        raise ApiError("The user id cannot be empty.")
    when = normal(time, "%Y-%m-%d %H:%M:%S")
    if not health_data:
        raise ApiError("The health data cannot be empty.")
    _check_measured(health_data)
    records = world.rows.setdefault(user, [])
    record = next((known for known in reversed(records) if known["time"] == when), None)
    values = {item["name"]: item["value"] for item in health_data}
    if record is None:
        records.append({"time": when, **values})
    else:
        record.update(values)
    return "success"


def _check_measured(health_data: Any) -> None:
    names: set[str] = set()
    for item in health_data:
        if "name" not in item:
            raise ApiError("The health data has invalid format.")
        if item["name"] in names:
            raise ApiError("The health data cannot contain duplicate items.")
        names.add(item["name"])


def _symptom(symptom: str) -> str:
    """A symptom as it is kept; a blank one is refused, also by the rule that compares."""
    if not symptom.strip():
        raise ApiError("The symptom cannot be empty.")
    return symptom.strip().lower()


def _emergency(symptom: str) -> str:
    """The same, with the error that the released API makes of it by a slip."""
    if not symptom.strip():
        raise AttributeError("'Exception' object has no attribute 'lower'")
    return symptom.strip().lower()


@DIALOGUE.add("SymptomSearch", "symptom", output="results", database="Symptom", rule=rule({"symptom": by(_symptom)}))
def symptom_search(world: World, symptom: str) -> Any:
    """Tells what a symptom may mean."""
    return [{"name": row["name"], "description": row["description"]} for row in _illnesses(world, _symptom(symptom))]


@DIALOGUE.add(
    "EmergencyKnowledge", "symptom", output="results", database="Symptom", rule=rule({"symptom": by(_emergency)})
)
def emergency_knowledge(world: World, symptom: str) -> Any:
    """Tells what to do at once about a symptom."""
    return [{"name": row["name"], "aid": row["aid"]} for row in _illnesses(world, _emergency(symptom))]


def _illnesses(world: World, symptom: str) -> list[dict[str, str]]:
    if symptom not in world.rows:
        raise ApiError("The symptom does not exist.")
    return world.rows[symptom]
