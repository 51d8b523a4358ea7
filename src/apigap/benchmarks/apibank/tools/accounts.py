"""Accounts: tokens, registration, passwords."""

import string
from typing import Any

from apigap.benchmarks.apibank.errors import ApiError
from apigap.benchmarks.apibank.scoring.rules import EXACT, fresh
from apigap.benchmarks.apibank.tools.pools import DIALOGUE
from apigap.benchmarks.apibank.world import World

_CODE = 970420
_LETTERS = string.ascii_lowercase + string.digits


@DIALOGUE.add("CheckToken", "token", output="username", database="Account", rule=EXACT, named=False)
def check_token(world: World, token: str) -> Any:
    """Tells whose token this is."""
    return {"username": world.user(token)}


@DIALOGUE.add("GetUserToken", "username password", output="token", database="Account", rule=EXACT)
def get_user_token(world: World, username: str, password: str) -> Any:
    """Gives the token of a user who knows the password."""
    if username not in world.accounts:
        raise ApiError("The username does not exist.")
    if world.accounts[username]["password"] != password:
        raise ApiError("The password is incorrect.")
    return {"token": world.accounts[username]["token"]}


@DIALOGUE.add(
    "RegisterUser", "username password email", output="token", database="Account",
    rule=fresh(all_inputs=True), named=False,
)  # fmt: skip
def register_user(world: World, username: str, password: str, email: str) -> Any:
    """Opens an account and gives its token."""
    if username in world.accounts:
        raise ApiError("The username already exists.")
    token = "".join(world.system.random.choices(_LETTERS, k=18))
    world.accounts[username] = {"password": password, "token": token, "email": email}
    return {"token": token}


@DIALOGUE.add("DeleteAccount", "token", database="Account", rule=EXACT, named=False)
def delete_account(world: World, token: str) -> Any:
    """Closes the account of a token's user."""
    del world.accounts[world.user(token)]
    return {"status": "success"}


@DIALOGUE.add("ModifyPassword", "token old_password new_password", database="Account", rule=EXACT)
def modify_password(world: World, token: str, old_password: str, new_password: str) -> Any:
    """Gives a user another password."""
    account = world.accounts[world.user(token)]
    if account["password"] != old_password:
        raise ApiError("The old password is incorrect.")
    account["password"] = new_password
    return {"status": "success"}


@DIALOGUE.add(
    "ForgotPassword", "status username? email? verification_code:int? new_password?", database="Account",
    rule=EXACT, named=False, given_only=True,
)  # fmt: skip
def forgot_password(
    world: World, status: str, username: str | None, email: str | None, verification_code: int | None,
    new_password: str | None,
) -> Any:  # fmt: skip
    """Resets a password in two steps: ask for a code, then send it with the new password."""
    if status == "Forgot Password":
        return _send_code(world, username, email)
    if status == "Verification Code":
        return _reset(world, verification_code, new_password)
    raise ApiError("The status is only 'Forgot Password' or 'Verification Code'.")


def _send_code(world: World, username: str | None, email: str | None) -> int:
    if not username or not email:
        raise ApiError("The username and email are required for the first call.")
    if username not in world.accounts:
        raise ApiError("The username does not exist.")
    if world.accounts[username]["email"] != email:
        raise ApiError("The email is incorrect.")
    world.memory.update(user=username, code=_CODE)
    return _CODE


def _reset(world: World, code: int | None, new_password: str | None) -> str:
    if "code" not in world.memory:
        raise ApiError("You need to call the API with status 'Forgot Password' at first.")
    if not new_password or not code:
        raise ApiError("The new password and verification code are required for the second call.")
    if code != world.memory["code"]:
        raise ApiError("The verification code is incorrect.")
    world.accounts[world.memory["user"]]["password"] = new_password
    return "success"
