"""The server of the studio: static files, and for each page a host in a thread of its own behind a websocket."""
