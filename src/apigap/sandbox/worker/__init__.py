"""The part of the engine that runs inside the sandbox, under the library's own interpreter (3.9 or newer).

Standard library only. The folder is bound read-only into the sandbox as the package `_apigap_worker`;
the host imports `protocol` and `fingerprint` from here, so both sides share one definition.
"""
