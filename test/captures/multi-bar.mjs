/** Draws several progress bars at once, as `docker pull` does: the cursor moves up and each row is rewritten. */
const LAYERS = ['4f4fb700ef54', '8a9fdcb0d4bb', 'c158987b0551', 'e7c96db7181b', 'f64bd1e4c7b3'];
const TOTAL_MB = [3.2, 31.4, 8.8, 0.6, 17.9];
const BAR_COLUMNS = 30;
const MB_PER_FRAME = 0.7;

function row(layer, frame) {
  const total = TOTAL_MB[layer];
  // Each layer starts a little later than the previous one.
  const done = (frame - layer * 3) * MB_PER_FRAME;
  if (done < 0) return 'Waiting';
  if (done >= total * 2) return 'Pull complete';
  const isExtracting = done >= total;
  const part = (isExtracting ? done - total : done) / total;
  const bar = `${'='.repeat(Math.floor(part * BAR_COLUMNS))}>`.padEnd(BAR_COLUMNS + 1);
  const amount = `${(part * total).toFixed(1)}MB/${total}MB`;
  return `${isExtracting ? 'Extracting ' : 'Downloading'} [${bar}]  ${amount}`;
}

function draw(frame) {
  const rows = LAYERS.map((id, layer) => `\x1b[2K\r${id}: ${row(layer, frame)}\n`);
  process.stdout.write(`\x1b[${LAYERS.length}A${rows.join('')}`);
  return rows.every((text) => text.includes('complete'));
}

process.stdout.write('latest: Pulling from library/example\n');
process.stdout.write(LAYERS.map((id) => `${id}: Pulling fs layer\n`).join(''));
let frame = 0;
while (!draw(frame)) frame++;
process.stdout.write('Status: Downloaded newer image for example:latest\n');
