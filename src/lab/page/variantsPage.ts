import type { AccountPageResponse } from '../../accounts/accountPage.ts'
import { counted } from '../../core/text/counts.ts'
import { assetPath } from '../../platform/html/assets.ts'
import { html } from '../../platform/html/template.ts'
import { variantsTable } from './optimizePart.ts'
import { pagesNav, resultHead, type ShownResult } from './resultPage.ts'

const PAGE_SIZE = 100

/** Every tested variant, in the order of their parameters, in pages. */
export function variantsPage(of: ShownResult, page: number): AccountPageResponse {
  const { optimize } = of.result
  if (!optimize) return null
  const { variants } = optimize
  const pages = Math.max(1, Math.ceil(variants.length / PAGE_SIZE))
  if (page > pages) return null
  const rows = variants.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return {
    page: {
      title: `Variants of ${of.name}`,
      styles: [assetPath('lab.css')],
      main: html`<div class="text lab">${resultHead(of, 'variants')}
<h1>Variants</h1>
<p>All ${counted(optimize.variants_tried, 'variant')} on the design sessions, none left out and none
picked. Mean, median and the two means beside it are in percent of the risk, after costs.</p>
${variantsTable(optimize, rows)}
${pagesNav(`${of.path}/variants`, page, pages)}</div>`,
    },
  }
}
