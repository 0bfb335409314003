/** A minimal Express app with one route, for comparison of start-up times. */
import express from 'express';

const app = express();
app.get('/', (_request, response) => void response.json({ success: true }));
const server = app.listen(0, '127.0.0.1', () => {
  process.stderr.write(`express is at http://127.0.0.1:${server.address().port}\n`);
});
