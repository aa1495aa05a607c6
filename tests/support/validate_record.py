#!/usr/bin/python3
"""validate_record.py SCHEMA RECORD...: validates each record against the JSON Schema, then checks
that the schema refuses damaged copies of the smallest record. Exits with 77 without
python3-jsonschema."""
import copy
import gzip
import json
import os
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)


def strict(name):
    raise ValueError(name + " is not JSON")


def load(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        return json.load(file, parse_constant=strict)


def places(value, path=()):
    """Yields the paths of all members and elements."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield path + (key,)
        yield from places(inner, path + (key,))


def shortened(value):
    """Returns a copy whose arrays have two elements at most: more would only repeat the damage."""
    if isinstance(value, dict):
        return {key: shortened(inner) for key, inner in value.items()}
    return [shortened(inner) for inner in value[:2]] if isinstance(value, list) else value


def damaged(record):
    """Yields copies with one difference: a value of a wrong type, or an unknown member of an object."""
    for path in places(record):
        copied = copy.deepcopy(record)
        parent = copied
        for key in path[:-1]:
            parent = parent[key]
        if isinstance(parent[path[-1]], dict):
            parent[path[-1]]["Not known"] = 1
            yield path, copied
            copied = copy.deepcopy(copied)
            parent = copied
            for key in path[:-1]:
                parent = parent[key]
        parent[path[-1]] = {"wrong": []}
        yield path, copied


schema = load(sys.argv[1])
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
wrong = 0
for path in sys.argv[2:]:
    record = load(path)
    for error in validator.iter_errors(record):
        print(f"{path}: {'.'.join(map(str, error.absolute_path))}: {error.message[:200]}")
        wrong += 1
tried = 0
smallest = load(min(sys.argv[2:], key=os.path.getsize))
for path, record in damaged(shortened(smallest)):
    tried += 1
    if validator.is_valid(record):
        print("not refused when damaged at " + ".".join(map(str, path)))
        wrong += 1
print(f"{len(sys.argv) - 2} records, {tried} damaged ones, {wrong} wrong")
sys.exit(1 if wrong else 0)
