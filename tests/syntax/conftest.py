"""Settings for the tests of the syntax."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "syntax",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("syntax")
