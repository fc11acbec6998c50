"""run-measured.py ROWS COMMAND…: runs it and prints rows per second and the peak of its memory."""

import resource
import subprocess
import sys
import time

rows, command = int(sys.argv[1]), sys.argv[2:]
began = time.monotonic()
subprocess.run(command, check=True)
seconds = time.monotonic() - began
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(f"{rows / seconds:,.0f} rows/s (budget 40,000), {seconds:.1f} s, peak of memory {peak:.0f} MiB")
