"""The API described by its own structs: HTTP as OpenAPI, the WebSocket as AsyncAPI."""
