"""A server on loopback that fails as a test says, and lists the calls that came."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class FaultyServer:
    """Responds with what `respond` returns: status, headers, body, and bytes after which it breaks off."""

    def __init__(self, respond):
        self.calls = []
        calls = self.calls

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                length = int(self.headers.get("content-length", 0))
                body = self.rfile.read(length)
                headers = {name.lower(): value for name, value in self.headers.items()}
                calls.append({"method": self.command, "path": self.path, "headers": headers, "body": body})
                status, sent, content, until = respond(len(calls), calls[-1])
                self.send_response(status)
                for name, value in sent.items():
                    self.send_header(name, value)
                if status != 304:
                    self.send_header("content-length", str(len(content)))
                self.end_headers()
                if status != 304:
                    self.wfile.write(content if until is None else content[:until])
                self.close_connection = True

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
