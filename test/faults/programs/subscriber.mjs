/**
 * Subscribes to one terminal from an offset with its own manager, and sends each event to its parent. Will be killed.
 */
const [managerModule, dataDir, runtimeDir, hostMain, id, offset] = process.argv.slice(2);
const { RemoteTerminalManager } = await import(managerModule);

const manager = new RemoteTerminalManager({ dataDir, runtimeDir, hostProgram: [hostMain] });
for await (const event of await manager.subscribe(id, Number(offset))) {
  await new Promise((resolve) => process.send(event, resolve));
}
process.disconnect();
