"""Bodies of requests, read as strictly as the trail: `"5"` is no number, `true` is no amount, and nothing is left over.

Litestar would turn `"5"` into 5. So a body is decoded here, straight into the struct that the handler names; what is wrong
is told with the name of the field.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, ClassVar

import msgspec
from litestar.dto import AbstractDTO
from litestar.dto.data_structures import DTOFieldDefinition
from litestar.typing import FieldDefinition

from longhu.server.http.problems import Kind, Trouble
from longhu.server.realtime.decode_errors import in_words

JSON = "application/json"


class Body(AbstractDTO[Any]):
    """How Litestar is told to read every body."""

    decoders: ClassVar[dict[str, msgspec.json.Decoder[Any]]] = {}

    @classmethod
    def create_for_field_definition(
        cls, field_definition: FieldDefinition, handler_id: str, backend_cls: Any = None
    ) -> None:
        """One decoder for each handler that takes a body."""
        del backend_cls
        if field_definition.name == "data":
            cls.decoders[handler_id] = msgspec.json.Decoder(field_definition.annotation)

    def decode_bytes(self, value: bytes) -> Any:
        """The body as what the handler asks for; a `Trouble` where it is something else."""
        told = self.asgi_connection.headers.get("content-type", JSON)
        if told.partition(";")[0].strip().lower() != JSON:
            raise Trouble(Kind.NOT_JSON, f"The body is told to be {told[:80]!r}.", remedy=f"Send it as {JSON}.")
        try:
            return self.decoders[self.asgi_connection.route_handler.handler_id].decode(value)
        except msgspec.ValidationError as error:
            raise Trouble(Kind.MALFORMED, f"In the body, {in_words(error)}.") from None
        except msgspec.DecodeError as error:
            raise Trouble(Kind.MALFORMED, f"The body cannot be read: {in_words(error, value)}.") from None

    @classmethod
    def generate_field_definitions(cls, model_type: type[Any]) -> Generator[DTOFieldDefinition, None, None]:
        raise NotImplementedError(f"{model_type} is read by msgspec, field by field")

    @classmethod
    def detect_nested_field(cls, field_definition: FieldDefinition) -> bool:
        raise NotImplementedError(f"{field_definition.name} is read by msgspec")
