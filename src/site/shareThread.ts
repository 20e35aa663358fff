/** Thread that converts share pictures to PNG: each takes a fifth of a second. */

import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { Resvg } from '@resvg/resvg-js'
import { respondOn } from '../platform/pool/thread.ts'
import type { ShareQuestion, ShareResult } from './share.ts'

const fontFile = (name: string) =>
  createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)

if (parentPort !== null) {
  // the same on every machine: no system fonts
  const font = {
    fontFiles: ['DejaVuSans', 'DejaVuSans-Bold'].map(fontFile),
    loadSystemFonts: false,
    defaultFontFamily: 'DejaVu Sans',
  }
  respondOn<ShareQuestion, ShareResult>(parentPort, {
    respond: async ({ svg }) => {
      // a buffer of its own: it is transferred
      return { png: new Uint8Array(new Resvg(svg, { font }).render().asPng()) }
    },
    listTransfers: ({ png }) => [png.buffer as ArrayBuffer],
    close: async () => {},
  })
}
