# A library with every kind of callable that a target can be. It is copied into the tests' environment as `spied`.
import abc
import asyncio
import contextlib
import dataclasses
import enum
import functools
import inspect
import math
import typing
import warnings

sqrt = math.sqrt


def plain(a, b=2, *rest, c=3, **more):
    return a + b + c


def adder(a):
    def add(b):
        return a + b

    return add


def places(a):
    return list(range(a))


def reach(a, step=1):
    return range(0, a, step)


class Step:
    def __init__(self, name, given):
        self.name = name
        self.given = given


class Later:
    def __init__(self, steps):
        self.steps = steps

    def value(self):
        given: list[typing.Any] = [step.given() if callable(step.given) else step.given for step in self.steps]
        return sum(given)


def later(a):
    return Later([Step("first", a)])


class World:
    name = "all"


class Group:
    def __init__(self, world, members):
        self.world = world
        self.members = members

    def __add__(self, other):
        if other.world is not self.world:
            raise ValueError("groups of two worlds")
        return Group(self.world, [*self.members, *other.members])

    def even(self):
        return Group(self.world, [member for member in self.members if member % 2 == 0])


world = World()
world.here = "where all groups are"  # pyright: ignore[reportAttributeAccessIssue]


def keeps(*given, **named):
    return len(given) + len(named)


def raises(a):
    raise LookupError(a)


def calls_plain(a):
    return plain(a)


def hands_on(a):
    return plain(1, c=2, more=a)


def labelled(a, **named):
    return plain(a), named


def by_name(name, a):
    return globals()[name](a)


def by_itself_or_given(given, a):
    if given is None:
        return plain(a)
    return given(a)


def under_its_name(plain, a):
    return plain(a)


def calls_back(f, *args):
    return f(*args)


def decorate(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)

    return wrapper


@decorate
def decorated(a):
    return a


@decorate
def other_decorated(a):
    return a


def machinery(f, *args, **kwargs):
    return f(*args, **kwargs)


def decorate_with_machinery(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return machinery(f, *args, **kwargs)

    return wrapper


@decorate_with_machinery
def machined(a):
    return a


def calls_machined(a):
    return machined(a)


def passed_on(function, a):
    return function(a)


def compiled_at_first_call(f):
    """A decorator like networkx's argmap: its code is replaced by a text's when it is first called."""

    def wrapper(*args, own: typing.Any = None):
        function = own.__wrapped__
        globals()["_" + function.__name__] = function
        scope = {}
        exec(f"def made(a):\n    return passed_on(_{function.__name__}, a)", scope)
        own.__code__ = scope["made"].__code__
        return own(*args)

    wrapper.__kwdefaults__ = {"own": wrapper}
    return functools.update_wrapper(wrapper, f)


@compiled_at_first_call
def compiled(a):
    return a


@compiled_at_first_call
def other_compiled(a):
    return a


def calls_compiled(a):
    return compiled(a)


@decorate
def calls_decorated(a):
    return decorated(a)


@functools.lru_cache
def cached(a):
    return a


@contextlib.contextmanager
def managed(a):
    yield a


def generated(a):
    yield a
    yield a + 1


async def awaited(a):
    await asyncio.sleep(0)
    return a


@functools.singledispatch
def dispatched(a):
    return a


class Base:
    def __init__(self, a, b=0):
        self.a = a

    def method(self, x=1):
        return self.a + x

    @classmethod
    def made(cls, a):
        return cls(a)

    @staticmethod
    def static(a):
        return a

    @property
    def prop(self):
        return self.a

    @functools.cached_property
    def lazy(self):
        return self.a

    def __call__(self, x):
        return x


class Child(Base):
    pass


class Grandchild(Child):
    def __init__(self, a):
        super().__init__(a)


class Query:
    @decorate_with_machinery
    def fetch(self, a):
        return a

    def first(self, a):
        return a


def proxied(method):
    @functools.wraps(method)
    def manager_method(self, *args, **kwargs):
        return getattr(self.query(), method.__name__)(*args, **kwargs)

    return manager_method


class Manager:
    fetch = proxied(Query.fetch)
    first = proxied(Query.first)

    def query(self):
        return Query()

    def busy(self, a):
        return self.first(a)


def strict(cls):
    @functools.wraps(cls.__init__)
    def init(self, a):
        self.a = a + 1

    cls.__init__ = init
    return cls


@strict
class Strict:
    def __init__(self, a):
        self.a = a


@strict
class OtherStrict:
    def __init__(self, a):
        self.a = a


class OnlyNew:
    def __new__(cls, a):
        return super().__new__(cls)


class NewAndInit:
    def __new__(cls, a):
        return super().__new__(cls)

    def __init__(self, a):
        if a < 0:
            raise ValueError(a)


class Nothing:
    pass


class Failing(Exception):
    pass


@dataclasses.dataclass
class Data:
    x: int
    y: int = 0


class Tuple(typing.NamedTuple):
    x: int


class Colour(enum.Enum):
    RED = 1


class Abstract(abc.ABC):
    @abc.abstractmethod
    def go(self): ...


T = typing.TypeVar("T")


class Generic(typing.Generic[T]):
    def __init__(self, a):
        self.a = a


class Meta(type):
    def __call__(cls, *args):
        return super().__call__(*args)


class WithMeta(metaclass=Meta):
    def __init__(self, a):
        self.a = a


instance = Base(1)
bound = instance.method
partial = functools.partial(plain, 1)


def state_of(coroutine):
    return inspect.getcoroutinestate(coroutine)


async def gathers(a):
    return await asyncio.gather(awaited(a), awaited(a))


async def in_a_group(a):
    async with asyncio.TaskGroup() as group:
        task = group.create_task(awaited(a))
    return task.result()


async def waits_for(a):
    return await asyncio.wait_for(awaited(a), 5)


async def in_a_thread(a):
    return await asyncio.to_thread(plain, a)


async def soon(a):
    asyncio.get_running_loop().call_soon(plain, a)  # pyright: ignore[reportArgumentType]
    await asyncio.sleep(0)


async def runs_all(*coroutines):
    return await asyncio.gather(*coroutines)


async def calls_back_later(function, *args):
    await asyncio.sleep(0)
    return function(*args)


def runs(coroutine):
    return asyncio.run(coroutine)


class Written:
    """A thing too deep to be kept whole, which remembers that it was asked for its text."""

    def __init__(self):
        self.parts = [[[[[1]]]]]
        self.memo = None

    def __str__(self):
        self.memo = "written"
        return self.memo


def warns():
    warnings.warn("it is going away", DeprecationWarning, stacklevel=3)
    return 4


def silences():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return warns()
