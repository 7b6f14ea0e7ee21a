"""Turns finished runs into what others read: one flat row a conversation, as CSV, JSON lines or Parquet.

Takes plain values and gives rows and bytes back: opens no file, judges no call and knows no pack by name.
"""

from mivas.report._columns import ADDED_COLUMNS, PUBLISHED_COLUMNS, Column
from mivas.report._conversation import Conversation, export_rows
from mivas.report._public import public_columns, public_rows, without_signed_urls
from mivas.report._tables import csv_lines, jsonl_lines, parquet_table

__all__ = [
    "ADDED_COLUMNS",
    "PUBLISHED_COLUMNS",
    "Column",
    "Conversation",
    "csv_lines",
    "export_rows",
    "jsonl_lines",
    "parquet_table",
    "public_columns",
    "public_rows",
    "without_signed_urls",
]
