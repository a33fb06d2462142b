// The program that checks shuffles is written once, in the page that works offline (src/longhu/fairness/check). This takes its
// core and its known answers out of there, so that our own page checks with the very same lines.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const NAME = 'virtual:shuffle-core';
const OFFLINE = fileURLToPath(new URL('../src/longhu/fairness/check/index.html', import.meta.url));
const TOLD = ['checkShuffle', 'order', 'selfTest', 'vectors'];

export function shuffleCore(): Plugin {
  return {
    name: 'shuffle-core',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined;
      this.addWatchFile(OFFLINE);
      const page = readFileSync(OFFLINE, 'utf-8');
      return `${script(page, 'core')}\nconst vectors = ${script(page, 'vectors')};\nexport { ${TOLD.join(', ')} };`;
    },
  };
}

function script(page: string, id: string): string {
  const found = new RegExp(`<script[^>]* id="${id}">\\n(.*?)</script>`, 's').exec(page);
  if (!found?.[1]) throw new Error(`${OFFLINE} has no script ${id}`);
  return found[1];
}
