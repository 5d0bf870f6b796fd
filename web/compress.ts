/* Compresses the built files once, better than a server could while somebody waits. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(js|css|svg)$/;
/** Below this a compressed file is not worth a second one. */
const LEAST = 2000;

/** Write a file.br beside each large text of the build; the server sends it to browsers that take it. */
export function compress(): Plugin {
  let folder = '';
  return {
    name: 'compress',
    apply: 'build',
    configResolved: (config) => {
      folder = resolve(config.root, config.build.outDir);
    },
    closeBundle: () => {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) => TEXT.test(one))) {
        const plain = readFileSync(join(folder, name));
        if (plain.length < LEAST) continue;
        const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } };
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(plain, options));
      }
    },
  };
}
