"""Somebody with another client: matrix-nio, which encrypts with libolm.

`independent.py HOMESERVER USER PASSWORD FOLDER`. Reads one JSON object a line, {"room": ..., "say": TEXT} or {"room": ...,
"send": CONTENT}, and prints one for every event that it reads: {"room", "sender", "id", "encrypted", "content", "file"}. Files are
downloaded, decrypted if need be, and put into FOLDER. Goes into every room to which it is invited.
"""

import asyncio
import json
import os
import sys

from nio import AsyncClient, AsyncClientConfig, DownloadResponse, InviteMemberEvent, MegolmEvent, RoomMessage
from nio.crypto.attachments import decrypt_attachment

homeserver, user, password, folder = sys.argv[1:]


def tell(**what):
    print(json.dumps(what), flush=True)


async def fetch(client, event, content):
    """Where the file of an event lies now."""
    source = content.get("file", content)
    answer = await client.download(source["url"])
    if not isinstance(answer, DownloadResponse):
        sys.exit(f"can't download: {answer}")
    body = answer.body
    if "file" in content:
        body = decrypt_attachment(body, source["key"]["k"], source["hashes"]["sha256"], source["iv"])
    path = os.path.join(folder, event.event_id.strip("$").replace("/", "_"))
    with open(path, "wb") as file:
        file.write(body)
    return path


async def main():
    store = os.path.join(folder, "store")
    os.makedirs(store)
    config = AsyncClientConfig(encryption_enabled=True, store_sync_tokens=False)
    client = AsyncClient(homeserver, user, store_path=store, config=config)

    async def invited(room, event):
        if event.state_key == client.user_id and event.membership == "invite":
            await client.join(room.room_id)
            tell(room=room.room_id, joined=True)

    async def said(room, event):
        content = event.source["content"]
        path = await fetch(client, event, content) if content["msgtype"] in ("m.image", "m.file") else None
        tell(room=room.room_id, sender=event.sender, id=event.event_id, encrypted=event.decrypted, content=content, file=path)

    async def unreadable(room, event):
        tell(room=room.room_id, sender=event.sender, id=event.event_id, unreadable=True)

    client.add_event_callback(invited, InviteMemberEvent)
    client.add_event_callback(said, RoomMessage)
    client.add_event_callback(unreadable, MegolmEvent)
    await client.login(password)
    await client.sync(full_state=True)
    tell(ready=True)

    async def obey():
        loop = asyncio.get_running_loop()
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            asked = json.loads(line)
            content = asked.get("send") or {"msgtype": "m.text", "body": asked["say"]}
            sent = await client.room_send(asked["room"], "m.room.message", content, ignore_unverified_devices=True)
            tell(sent=getattr(sent, "event_id", str(sent)))
        os._exit(0)

    asyncio.create_task(obey())
    await client.sync_forever(timeout=5000)


asyncio.run(main())
