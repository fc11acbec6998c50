"""Reads a service with the client that openapi-python-client generates from its OpenAPI document."""

import datetime
import sys

from generated import Client
from generated.api.data import get_metrics, get_reports
from generated.models import Metrics, Problem, ReportList

client = Client(base_url=sys.argv[1])
metrics = get_metrics.sync(client=client)
reports = get_reports.sync(client=client, limit=1)
problem = get_metrics.sync(client=client, from_=datetime.date(2026, 2, 1), to=datetime.date(2026, 1, 1))
assert isinstance(metrics, Metrics) and isinstance(reports, ReportList) and isinstance(problem, Problem)
print(metrics.total, reports.reports[0].id, problem.code)
