"""Sells a free ticket of a new event with the generated client, and reads two errors. Prints what it has seen as JSON."""

import json
import os
import time

from event_developer_api_client import AuthenticatedClient
from event_developer_api_client.api.events import create_event, get_event, list_events
from event_developer_api_client.api.orders import confirm_order, get_order, place_order
from event_developer_api_client.api.registrations import get_registration_badge
from event_developer_api_client.api.ticket_types import create_ticket_type, update_ticket_type
from event_developer_api_client.models.create_event import CreateEvent
from event_developer_api_client.models.create_order import CreateOrder
from event_developer_api_client.models.create_order_items_item import CreateOrderItemsItem
from event_developer_api_client.models.create_order_items_item_item_type import CreateOrderItemsItemItemType
from event_developer_api_client.models.create_ticket_type import CreateTicketType
from event_developer_api_client.models.update_ticket_type import UpdateTicketType
from event_developer_api_client.models.update_ticket_type_status import UpdateTicketTypeStatus



def read_badge(event_id, registration_id):
    """Reads a badge again after a 503: the first one starts the thread that draws them."""
    deadline = time.monotonic() + 60
    while True:
        response = get_registration_badge.sync_detailed(event_id, registration_id, client=client)
        if response.status_code != 503 or time.monotonic() > deadline:
            return response.parsed
        time.sleep(int(response.headers["retry-after"]))


client = AuthenticatedClient(base_url=os.environ["API_URL"], token=os.environ["API_KEY"])
with client as client:
    event = create_event.sync(
        client=client,
        body=CreateEvent(name="From Python", timezone="Europe/Berlin"),
        idempotency_key="generated-python-client",
    )
    same = get_event.sync(event.id, client=client)
    listed = list_events.sync(client=client, limit=1)
    ticket_type = create_ticket_type.sync(event.id, client=client, body=CreateTicketType(name="Standard", capacity=10))
    opened = UpdateTicketType(status=UpdateTicketTypeStatus.OPEN)
    update_ticket_type.sync(event.id, ticket_type.id, client=client, body=opened)
    line = CreateOrderItemsItem(item_type=CreateOrderItemsItemItemType.TICKET_TYPE, item_id=ticket_type.id)
    order = CreateOrder(email="python@example.com", items=[line])
    placed = place_order.sync(event.id, client=client, body=order)
    confirm_order.sync(event.id, placed.order_number, client=client)
    paid = get_order.sync(event.id, placed.id, client=client)
    badge = read_badge(event.id, paid.registration_ids[0])
    assert hasattr(badge, "payload"), badge
    missing = get_event.sync("evt_missing", client=client)
    invalid = create_event.sync(client=client, body=CreateEvent(name="", timezone="Mars/Base"))

print(
    json.dumps(
        {
            "created": [event.name, event.status.value],
            "isRead": same.id == event.id,
            "listed": [each.name for each in listed.events],
            "order": [placed.status.value, paid.status.value, len(paid.registration_ids)],
            "hasBadge": b"<svg" in badge.payload.read(),
            "missing": missing.error.code,
            "invalid": [detail.field for detail in invalid.error.details],
        }
    )
)
