// Sells a free ticket of a new event with the generated client, and reads two errors. Prints what it has seen as JSON.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"time"

	"example.com/generated/eventapi"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// Places and confirms an order of one seat. Returns it as placed and as read, and the badge.
func sell(ctx context.Context, client *eventapi.ClientWithResponses, eventId string) (*eventapi.PlacedOrder, *eventapi.Order, []byte) {
	capacity := 10
	typeBody := eventapi.CreateTicketType{Name: "Standard", Capacity: &capacity}
	ticketType, err := client.CreateTicketTypeWithResponse(ctx, eventId, &eventapi.CreateTicketTypeParams{}, typeBody)
	check(err)
	typeId := ticketType.JSON201.Id
	open := eventapi.UpdateTicketTypeStatusOpen
	_, err = client.UpdateTicketTypeWithResponse(ctx, eventId, typeId, &eventapi.UpdateTicketTypeParams{}, eventapi.UpdateTicketType{Status: &open})
	check(err)
	var order eventapi.CreateOrder
	items := []map[string]any{{"itemType": "ticket_type", "itemId": typeId}}
	text, err := json.Marshal(map[string]any{"email": "go@example.com", "items": items})
	check(err)
	check(json.Unmarshal(text, &order))
	placed, err := client.PlaceOrderWithResponse(ctx, eventId, &eventapi.PlaceOrderParams{}, order)
	check(err)
	if placed.JSON201 == nil {
		log.Fatal(string(placed.Body))
	}
	orderNumber := placed.JSON201.OrderNumber
	_, err = client.ConfirmOrderWithResponse(ctx, eventId, orderNumber, &eventapi.ConfirmOrderParams{}, eventapi.ConfirmOrderJSONRequestBody{})
	check(err)
	read, err := client.GetOrderWithResponse(ctx, eventId, placed.JSON201.Id, &eventapi.GetOrderParams{})
	check(err)
	return placed.JSON201, read.JSON200, readBadge(ctx, client, eventId, read.JSON200.RegistrationIds[0])
}

// Reads a badge again after a 503: the first one starts the thread that draws them.
func readBadge(ctx context.Context, client *eventapi.ClientWithResponses, eventId string, id string) []byte {
	deadline := time.Now().Add(time.Minute)
	for {
		badge, err := client.GetRegistrationBadgeWithResponse(ctx, eventId, id, &eventapi.GetRegistrationBadgeParams{})
		check(err)
		if badge.StatusCode() != http.StatusServiceUnavailable || time.Now().After(deadline) {
			return badge.Body
		}
		time.Sleep(time.Second)
	}
}

func main() {
	ctx := context.Background()
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
		return nil
	}
	client, err := eventapi.NewClientWithResponses(os.Getenv("API_URL"), eventapi.WithRequestEditorFn(withKey))
	check(err)

	key := "generated-go-client"
	body := eventapi.CreateEvent{Name: "From Go", Timezone: "Europe/Berlin"}
	created, err := client.CreateEventWithResponse(ctx, &eventapi.CreateEventParams{IdempotencyKey: &key}, body)
	check(err)
	event := created.JSON201
	if event == nil {
		log.Fatal(string(created.Body))
	}
	same, err := client.GetEventWithResponse(ctx, event.Id, &eventapi.GetEventParams{})
	check(err)
	limit := 1
	listed, err := client.ListEventsWithResponse(ctx, &eventapi.ListEventsParams{Limit: &limit})
	check(err)
	order, paid, badge := sell(ctx, client, event.Id)
	missing, err := client.GetEventWithResponse(ctx, "evt_missing", &eventapi.GetEventParams{})
	check(err)
	wrong := eventapi.CreateEvent{Name: "", Timezone: "Mars/Base"}
	invalid, err := client.CreateEventWithResponse(ctx, &eventapi.CreateEventParams{}, wrong)
	check(err)

	names := []string{}
	for _, each := range listed.JSON200.Events {
		names = append(names, each.Name)
	}
	fields := []string{}
	for _, detail := range *invalid.JSONDefault.Error.Details {
		fields = append(fields, *detail.Field)
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"created":  []any{event.Name, event.Status},
		"isRead":   same.JSON200.Id == event.Id,
		"listed":   names,
		"order":    []any{order.Status, paid.Status, len(paid.RegistrationIds)},
		"hasBadge": bytes.Contains(badge, []byte("<svg")),
		"missing":  missing.JSONDefault.Error.Code,
		"invalid":  fields,
	}))
}
