"""Sign-in at an OpenID Connect provider, by Authlib: the protocol itself is the library's, nothing of it is ours."""

from __future__ import annotations

import asyncio
import importlib
import re
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from dpviz.errors import extra_needed
from dpviz.hosting.config import Address, Provider
from dpviz.hosting.identity import Application, Message, Receive
from dpviz.ledger.persons import Person

SIGN_IN: Final = "/sign-in"
BACK: Final = "/sign-in/back"
SIGN_OUT: Final = "/sign-out"
_SECONDS = 600  # to fill in the provider's form
_OWN_PLACE = re.compile(r"/(?![/\\])[\w./?=&%+,:-]{0,1000}")
LONGEST_NAME = 200


class Refused(Exception):
    """The provider did not name anybody; the text says why, for the server's log."""


class SignIn:
    """The two steps of a sign-in: away to the provider, and back with a person."""

    def __init__(self, provider: Provider, address: Address) -> None:
        with extra_needed():
            integration: Any = importlib.import_module("authlib.integrations.starlette_client")
        self._provider = provider
        self._back = f"{address.public}{BACK}"
        self._client = integration.OAuth().register(
            "house",
            client_id=provider.client_id,
            client_secret=provider.client_secret,
            server_metadata_url=provider.metadata,
            client_kwargs={"scope": provider.scope, "code_challenge_method": "S256"},
        )
        self._key = secrets.token_urlsafe(32)
        self._is_encrypted, self._port = address.is_encrypted, address.port

    def with_session(self, app: Application) -> Application:
        """What the provider's answer is compared with travels in a signed cookie of a few minutes."""
        return SessionMiddleware(
            app,
            secret_key=self._key,
            session_cookie="__Host-dpviz-sign-in" if self._is_encrypted else f"dpviz-sign-in-{self._port}",
            max_age=_SECONDS,
            same_site="lax",  # the provider's answer comes from another host
            https_only=self._is_encrypted,
        )

    async def away(self, request: Request) -> Response:
        """To the provider; afterwards to the page that was asked for."""
        request.session.clear()
        request.session["to"] = own_place(request.query_params.get("to", "/"))
        answer: Response = await self._client.authorize_redirect(request, self._back)
        return answer

    async def back(self, request: Request) -> tuple[str, list[str], str]:
        """The person, the groups, and the page that was asked for. The library checks state, nonce and signature."""
        to = own_place(str(request.session.get("to", "/")))
        try:
            token = await self._client.authorize_access_token(request)
        except Exception as error:  # the library's many kinds; their text may hold a code or a token
            raise Refused(type(error).__name__) from None
        finally:
            request.session.clear()
        name, groups = person_of(token.get("userinfo") or {}, self._provider)
        return name, groups, to


def person_of(claims: Any, provider: Provider) -> tuple[str, list[str]]:
    """Name and groups from the claims of an identity token."""
    name = claims.get(provider.person)
    if provider.person == "email":
        _refuse_unverified(claims.get("email_verified"), provider, is_said="email_verified" in claims)
    groups = claims.get(provider.groups, [])
    listed = groups if isinstance(groups, list) else [groups]
    return checked_person(name), [group for group in listed if isinstance(group, str)]


def _refuse_unverified(verified: Any, provider: Provider, *, is_said: bool) -> None:
    """Believe an e-mail address only where the token says that it was verified, or the file that all of them are."""
    if not is_said and not provider.verified_by_provider:
        raise Refused(
            "the provider's token has no email_verified, so nobody may have checked the e-mail address. Have the "
            "provider send that claim, or name people by a claim that they cannot change themselves (person in "
            "[sign_in]). Only if it hands out verified addresses alone, write verified_by_provider = true in [sign_in]"
        )
    if is_said and verified is not True and verified != "true":  # some say it in a text
        raise Refused("the provider has not verified the e-mail address; it has to, before this person can sign in")


def checked_person(name: Any) -> str:
    """A name that can stand in the ledger."""
    # Nothing is cut off: "anna " and "anna" may be two accounts of the provider.
    if isinstance(name, str) and name and name == name.strip() and len(name) <= LONGEST_NAME and name.isprintable():
        return name
    raise Refused("the sign-in names nobody, or by a name that cannot be kept")


def own_place(path: str) -> str:
    """A page of this server, or its first one: no sign-in leads to another host."""
    return path if _OWN_PLACE.fullmatch(path) and not path.startswith((SIGN_IN, SIGN_OUT)) else "/"


def redirect(to: str) -> RedirectResponse:
    """Another page of this server, asked for with GET."""
    return RedirectResponse(
        to, status_code=303, headers={"cache-control": "no-store", "referrer-policy": "no-referrer"}
    )


# ---- who is signed in -----------------------------------------------------------------------------------------


MOST_VISITS = 10_000
MOST_VISITS_OF_ONE = 50  # browsers of one person: repeated sign-ins end that person's own visits only


@dataclass(eq=False, kw_only=True)
class Visit:
    """One person in one browser, until a moment of the machine's clock."""

    person: Person
    until: float
    over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def left(self) -> float:
        """Seconds."""
        return 0.0 if self.over.is_set() else max(0.0, self.until - time.monotonic())

    def listening(self, receive: Receive) -> Receive:
        """What comes in, as long as the visit lasts; then the caller is gone, whatever its browser does."""

        async def receive_until_over() -> Message:
            if not self.left:
                return _GONE
            heard, ended = asyncio.ensure_future(receive()), asyncio.ensure_future(self.over.wait())
            try:
                await asyncio.wait({heard, ended}, timeout=self.left, return_when=asyncio.FIRST_COMPLETED)
                return heard.result() if heard.done() else _GONE
            finally:
                heard.cancel()
                ended.cancel()

        return receive_until_over


_GONE: Message = {"type": "websocket.disconnect", "code": 1008, "reason": ""}


class Visits:
    """All visits by the secret in the browser's cookie."""

    def __init__(self, hours: float) -> None:
        self._seconds = hours * 3600
        self._visits: OrderedDict[str, Visit] = OrderedDict()

    def begin(self, person: Person) -> str:
        """A secret for the browser of this person."""
        for old in [key for key, visit in self._visits.items() if not visit.left]:
            self.end(old)
        own = [key for key, visit in self._visits.items() if visit.person.name == person.name]
        for oldest in own[: max(0, len(own) - MOST_VISITS_OF_ONE + 1)]:
            self.end(oldest)
        while len(self._visits) >= MOST_VISITS:
            self.end(next(iter(self._visits)))
        key = secrets.token_urlsafe(32)
        self._visits[key] = Visit(person=person, until=time.monotonic() + self._seconds)
        return key

    def find(self, key: str) -> Visit | None:
        """The visit of this secret, while it lasts. A look-up by hash: no prefix of a secret can be tried out."""
        found = self._visits.get(key)
        return found if found is not None and found.left else None

    def end(self, key: str) -> None:
        """Sign out: open sockets are closed."""
        found = self._visits.pop(key, None)
        if found is not None:
            found.over.set()
