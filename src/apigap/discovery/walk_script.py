"""The former place of the walk."""

from apigap.discovery.walk import INTERNAL as INTERNAL
