# From the packed package: `npm pack`, then `docker build -t repertoire .`. Skills are mounted at /skills, what it keeps at /data.
FROM node:24-slim
COPY repertoire-*.tgz /tmp/repertoire.tgz
RUN npm install --global --no-audit --no-fund /tmp/repertoire.tgz && rm -rf /tmp/repertoire.tgz /root/.npm \
  && mkdir -p /data /skills && chown node:node /data
USER node
VOLUME ["/data"]
EXPOSE 7337
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:7337/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["repertoire"]
CMD ["serve", "--host", "0.0.0.0", "--port", "7337", "--root", "/skills", "--data", "/data"]
