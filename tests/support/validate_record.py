#!/usr/bin/python3
"""validate_record.py [--damage] SCHEMA RECORD...: validates each record against the JSON Schema; with
--damage, the schema also has to refuse damaged copies of the smallest record. Exits with 77 without
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


def shape(value):
    """Returns what the schema can tell from another value: members, texts, kinds and signs."""
    if isinstance(value, dict):
        return tuple(sorted((key, shape(inner)) for key, inner in value.items()))
    if isinstance(value, list):
        return len(value) > 0, frozenset(map(shape, value))
    return value if value is None or isinstance(value, (str, bool)) else (type(value), value >= 0)


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


damage = sys.argv[1] == "--damage"
schema, *paths = sys.argv[1 + damage:]
schema = load(schema)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
wrong = tried = 0
for path in paths:
    record = load(path)
    if "results" in record:  # one of each shape: the schema has no rule about several
        record["results"] = [*{shape(r | {"variant": ""}): r for r in record["results"]}.values()]
    for error in validator.iter_errors(record):
        print(f"{path}: {'.'.join(map(str, error.absolute_path))}: {error.message[:200]}")
        wrong += 1
smallest = load(min(paths, key=os.path.getsize))
for path, record in damaged(shortened(smallest)) if damage else ():
    tried += 1
    if validator.is_valid(record):
        print("not refused when damaged at " + ".".join(map(str, path)))
        wrong += 1
print(f"{len(paths)} records, {tried} damaged ones, {wrong} wrong")
sys.exit(1 if wrong else 0)
