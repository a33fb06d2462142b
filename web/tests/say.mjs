// Says messages as the page does: reads {language: [message, ...]} and writes {language: [sentence, ...]}.
import { text } from 'node:stream/consumers';
import { createServer } from 'vite';

const asked = JSON.parse(await text(process.stdin));
const server = await createServer({ server: { middlewareMode: true, hmr: false, ws: false }, appType: 'custom', logLevel: 'error', optimizeDeps: { noDiscovery: true } });
try {
  const { said, speak } = await server.ssrLoadModule('/src/lib/messages.svelte.ts');
  const told = {};
  for (const [language, messages] of Object.entries(asked)) {
    await speak(language);
    told[language] = messages.map((message) => said(message));
  }
  console.log(JSON.stringify(told));
} finally {
  await server.close();
}
