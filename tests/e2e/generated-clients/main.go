// Creates an event with the generated client, reads it back, and reads two errors. Prints what it has seen as JSON.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"example.com/generated/eventapi"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
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
	for _, detail := range *invalid.JSON400.Error.Details {
		fields = append(fields, *detail.Field)
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"created": []any{event.Name, event.Status},
		"isRead":  same.JSON200.Id == event.Id,
		"listed":  names,
		"missing": missing.JSON404.Error.Code,
		"invalid": fields,
	}))
}
