/** Thread that converts share pictures to PNG: each takes a fifth of a second. */

import { createRequire } from 'node:module'
import { Resvg } from '@resvg/resvg-js'
import { serveThread } from '../platform/pool/thread.ts'

const fontFile = (name: string) =>
  createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)

export default serveThread<string, Uint8Array>(() => {
  // the same on every machine: no system fonts
  const font = {
    fontFiles: ['DejaVuSans', 'DejaVuSans-Bold'].map(fontFile),
    loadSystemFonts: false,
    defaultFontFamily: 'DejaVu Sans',
  }
  return {
    // a buffer of its own: it is transferred
    respond: svg => new Uint8Array(new Resvg(svg, { font }).render().asPng()),
    listTransfers: png => [png.buffer as ArrayBuffer],
  }
})
