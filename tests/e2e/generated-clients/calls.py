"""Creates an event with the generated client, reads it back, and reads two errors. Prints what it has seen as JSON."""

import json
import os

from event_developer_api_client import AuthenticatedClient
from event_developer_api_client.api.events import create_event, get_event, list_events
from event_developer_api_client.models.create_event import CreateEvent

client = AuthenticatedClient(base_url=os.environ["API_URL"], token=os.environ["API_KEY"])
with client as client:
    event = create_event.sync(
        client=client,
        body=CreateEvent(name="From Python", timezone="Europe/Berlin"),
        idempotency_key="generated-python-client",
    )
    same = get_event.sync(event.id, client=client)
    listed = list_events.sync(client=client, limit=1)
    missing = get_event.sync("evt_missing", client=client)
    invalid = create_event.sync(client=client, body=CreateEvent(name="", timezone="Mars/Base"))

print(
    json.dumps(
        {
            "created": [event.name, event.status.value],
            "isRead": same.id == event.id,
            "listed": [each.name for each in listed.events],
            "missing": missing.error.code,
            "invalid": [detail.field for detail in invalid.error.details],
        }
    )
)
