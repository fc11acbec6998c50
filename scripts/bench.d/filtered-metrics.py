"""filtered-metrics.py URL: asks for the metrics of random places and periods, each once, one after
the other, and prints how long the answers took. SVC_KEY is a key without a limit."""

import datetime
import http.client
import json
import os
import random
import sys
import time
import urllib.parse

QUESTIONS = 2000
host = urllib.parse.urlsplit(sys.argv[1]).netloc
connection = http.client.HTTPConnection(host)
random.seed(1)


def get(path):
    began = time.perf_counter()
    connection.request("GET", path, headers={"Authorization": f"Bearer {os.environ['SVC_KEY']}"})
    response = connection.getresponse()
    body = response.read()
    took = (time.perf_counter() - began) * 1000
    assert response.status == 200, (path, body)
    return json.loads(body), took


def day():
    return datetime.date(2016, 1, 1) + datetime.timedelta(days=random.randrange(3653))


places = get("/api/v1/geo-facets?from=2016-01-01&to=2025-12-31")[0]["locations"]
kinds = {"no place": [], "country": ["country"], "region": ["country", "region"], "city": ["city"]}
all_times = []
for name, parts in kinds.items():
    times = []
    for _ in range(QUESTIONS // len(kinds)):
        place = random.choice(places)
        first, last = sorted([day(), day()])
        query = {part: place[part] for part in parts} | {"from": first, "to": last}
        times.append(get(f"/api/v1/metrics?{urllib.parse.urlencode(query)}")[1])
    all_times += times
    times.sort()
    print(f"{name:9} median {times[len(times) // 2]:5.2f} ms, p99 {times[len(times) * 99 // 100]:5.2f} ms")
all_times.sort()
print(f"all       p99 {all_times[len(all_times) * 99 // 100]:.2f} ms (budget 15)")
