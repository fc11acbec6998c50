/** Reads a service with openapi-fetch, and types that openapi-typescript generates from its OpenAPI document. */
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const { GET } = createClient<paths>({ baseUrl: process.argv[2]! });
const { data: metrics } = await GET("/api/v1/metrics");
const { data: list } = await GET("/api/v1/reports", { params: { query: { limit: 1 } } });
const period = { from: "2026-02-01", to: "2026-01-01" };
const { error } = await GET("/api/v1/metrics", { params: { query: period } });
console.log(metrics?.total, list?.reports[0]?.id, error?.code);
