"""Settings that a library needs before use: the lines that its own documentation begins with."""

from collections.abc import Mapping, Sequence

from apigap.knowledge.usages.usage import Usage

SETUPS: Mapping[str, tuple[str, ...]] = {
    "django": (
        "import django",
        "from django.conf import settings",
        "if not settings.configured:\n"
        "    settings.configure(USE_TZ=True, SECRET_KEY='key', ROOT_URLCONF=__name__, ALLOWED_HOSTS=['*'], "
        "DATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': ':memory:'}}, "
        "TEMPLATES=[{'BACKEND': 'django.template.backends.django.DjangoTemplates'}], "
        "INSTALLED_APPS=['django.contrib.contenttypes', 'django.contrib.auth', 'django.contrib.sessions', "
        "'django.contrib.messages', 'django.contrib.admin.apps.SimpleAdminConfig', 'django.contrib.sites'], "
        "SITE_ID=1)\n"
        "    django.setup()",
    )
}
"""By import name: statements to run before anything else. Each must be right however often it is run."""


def setup_of(modules: Sequence[str]) -> list[str]:
    """The statements that come before any use of the top-level `modules`."""
    return [line for module in modules for line in SETUPS.get(module, ())]


def with_setup(usage: Usage, modules: tuple[str, ...]) -> Usage:
    """`usage` with the lines that its library wants first; itself where there are none, or where it has its own."""
    lines = setup_of(modules)
    if not lines or "settings.configure" in usage.code:
        return usage
    return usage.replaced(prelude=tuple(dict.fromkeys((*lines, *usage.prelude))))
