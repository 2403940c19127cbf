// The provider by itself, on port 7400: it says what it has charged, each second that something changed.
import { startProvider } from './provider.ts';

const provider = await startProvider({ port: 7400, answerAfterMs: 3_000 });
process.stdout.write(`${provider.url} charges orders, and answers after 3 seconds\n`);
let told = 0;
setInterval(() => {
  if (provider.requests === told) return;
  told = provider.requests;
  const charged = [...provider.charges].map(([order, count]) => `${order} ${count}×`).join(', ');
  process.stdout.write(`asked ${provider.requests} times; charged: ${charged}\n`);
}, 1_000);
