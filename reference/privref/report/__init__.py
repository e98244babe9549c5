"""Reports: text, tables and figures of results that other modules computed."""
