# Built with the bundler, run without it. Debian, not Alpine: the PTY library needs glibc.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/package.json ./web/
RUN npm ci --ignore-scripts
COPY scripts/compile.mjs scripts/page.mjs ./scripts/
COPY tsconfig.json ./
COPY src ./src
COPY web ./web
RUN node scripts/compile.mjs dist && node scripts/page.mjs dist/page

FROM node:24-slim
# tini reaps the orphans that shells leave behind; the others are what people miss first in a terminal.
RUN apt-get update \
  && apt-get install -y --no-install-recommends tini procps less curl git ca-certificates \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
COPY --from=build /app/dist ./dist
COPY fonts ./fonts
RUN ln -s /app/dist/cli/main.js /usr/local/bin/tenacitty && chmod +x /app/dist/cli/main.js \
  && install -d -o node -g node -m 0700 /data

# NODE_ENV is left alone: the programs in the terminals would inherit it.
ENV TENACITTY_HOST=0.0.0.0 TENACITTY_DATA_DIR=/data
EXPOSE 3001
VOLUME /data
USER node
# Where terminals start when a request names no directory.
WORKDIR /home/node
STOPSIGNAL SIGTERM
# Any answer that is not a fault means it is alive: where TENACITTY_TRUST_LOCAL=false it may well be a 401.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "-e", "const { env } = process; require(env.TENACITTY_TLS_CERT ? 'node:https' : 'node:http').get({ host: '127.0.0.1', port: env.TENACITTY_PORT || env.PORT || 3001, path: '/healthz', rejectUnauthorized: false }, (answer) => process.exit(answer.statusCode < 500 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["tini", "-g", "--", "tenacitty"]
CMD ["serve"]
