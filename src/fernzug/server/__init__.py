"""The web application: lobby, sockets, store and static files around the tables."""
