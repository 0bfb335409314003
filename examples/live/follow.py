"""Shows a terminal until its program ends, and types each further argument as a line: python3 follow.py ID [LINE...]"""

import base64, json, os, socket, struct, sys, time

server, key = os.environ.get("SERVER", "http://localhost:3001").split("//")[1], os.environ.get("KEY")
writer, offset, closed = os.urandom(8).hex(), None, 1006
waiting = {seq: line + "\r" for seq, line in enumerate(sys.argv[2:], 1)}  # inputs not acknowledged yet, by number


def take(stream, size):
    data = stream.read(size)
    if len(data) < size:
        raise ConnectionError("the connection was lost")
    return data


def connect():
    stream = socket.create_connection(server.rsplit(":", 1), timeout=75).makefile("rwb")  # it pings every 30 seconds
    resume = "" if offset is None else f"?from={offset}"
    head = [f"GET /api/terminals/{sys.argv[1]}/live{resume} HTTP/1.1", f"Host: {server}"]
    head += ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"]
    head += ["Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode(), "Sec-WebSocket-Protocol: tenacitty.v1"]
    head += [f"Authorization: Bearer {key}"] if key else []
    stream.write("\r\n".join([*head, "", ""]).encode())
    stream.flush()
    status = take(stream, len("HTTP/1.1 101")).decode()
    while stream.readline().strip():
        pass
    return stream if status.endswith("101") else sys.exit(f"The server answered {status}")


def send(stream, opcode, data):
    size, mask = len(data), os.urandom(4)
    length = struct.pack("!B", 0x80 | size) if size < 126 else struct.pack("!BH", 254, size)
    stream.write(bytes([0x80 | opcode]) + length + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(data)))
    stream.flush()


def frame(stream):
    opcode, size = take(stream, 2)
    size = size if size < 126 else int.from_bytes(take(stream, 2 if size == 126 else 8), "big")
    return opcode & 15, take(stream, size)


def show(data, end):
    global offset
    offset = end
    sys.stdout.buffer.write(data)
    sys.stdout.flush()


def follow(stream):
    for seq, text in waiting.items():
        send(stream, 1, json.dumps({"type": "input", "writer": writer, "seq": seq, "text": text}).encode())
    while True:
        opcode, data = frame(stream)
        message = json.loads(data) if opcode == 1 else {"type": opcode}
        match message["type"]:
            case 2:
                show(data[8:], int.from_bytes(data[:8], "big") + len(data) - 8)
            case 8:
                return int.from_bytes(data[:2], "big")
            case 9:
                send(stream, 10, data)
            case "snapshot":
                show(b"\x1bc" + message["data"].encode(), message["at"])  # resets the screen before it is painted
            case "ack":
                waiting.pop(message["seq"], None)
            case "error":
                waiting.pop(message["about"], None)
                print(message["message"], file=sys.stderr)


while closed in (1001, 1006, 1011):
    try:
        closed = follow(connect())
    except OSError as error:
        print(error, file=sys.stderr)
    if closed != 1000:
        time.sleep(1)
sys.exit(closed != 1000)
