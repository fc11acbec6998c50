"""Prints the program of an operation in a language, as the reference of a running service shows it."""

import html
import re
import sys
import urllib.request

url, language, operation = sys.argv[1:]
page = urllib.request.urlopen(url).read().decode()
code = re.search(f'<code id="{language}-{operation}">(.*?)</code>', page, re.DOTALL)
assert code, f"no {language} for {operation} at {url}"
print(html.unescape(re.sub(r"<[^>]*>", "", code[1])))
