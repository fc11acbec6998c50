// Reads a service with the client that openapi-generator generates from its OpenAPI document.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	svc "example.org/generated"
)

func main() {
	configuration := svc.NewConfiguration()
	configuration.Servers = svc.ServerConfigurations{{URL: os.Args[1]}}
	data := svc.NewAPIClient(configuration).DataAPI
	ctx := context.Background()
	metrics, _, err := data.GetMetrics(ctx).Execute()
	if err != nil {
		log.Fatal(err)
	}
	list, _, err := data.GetReports(ctx).Limit(1).Execute()
	if err != nil {
		log.Fatal(err)
	}
	_, _, err = data.GetMetrics(ctx).From("2026-02-01").To("2026-01-01").Execute()
	var refused *svc.GenericOpenAPIError
	if !errors.As(err, &refused) {
		log.Fatal(err)
	}
	problem, ok := refused.Model().(svc.Problem)
	if !ok {
		log.Fatalf("%T is not a problem", refused.Model())
	}
	fmt.Println(metrics.Total, list.Reports[0].Id, problem.Code)
}
