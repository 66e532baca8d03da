import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { instrument } from './instrument.ts';

// Preload this module to instrument the sources that a process loads.
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.startsWith('file:') || url.includes('/node_modules/') || !url.endsWith('.ts'))
      return loaded;
    const source = instrument(String(loaded.source), fileURLToPath(url));
    return source === null ? loaded : { ...loaded, source };
  },
});
