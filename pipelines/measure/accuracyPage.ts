/** The measurement as one page that needs nothing else: plots, then the tables. */

import type { AccuracyReport } from './accuracyReport.ts'
import {
  foldSection,
  formulasSection,
  indexSection,
  levelsSection,
  namesSection,
  realSection,
  sidesSection,
  surfaceSection,
  worldsSection,
} from './accuracySections.ts'

/** The whole page as HTML; it loads nothing. */
export function accuracyPage(report: AccuracyReport): string {
  const sections = [
    ...(report.tapes.length > 0 ? [foldSection, namesSection, sidesSection] : []),
    ...(report.worlds ? [worldsSection] : []),
    ...(report.levels ? [levelsSection, surfaceSection] : []),
    ...(report.index ? [indexSection] : []),
    ...(report.formulas ? [formulasSection] : []),
    ...(report.real.length > 0 ? [realSection] : []),
  ]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tapefold: accuracy</title>
<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body>
<h1>How often Tapefold is right</h1>
<p>Measured by <code>npm run accuracy</code> on simulated tapes whose orders are known: a model, and
no claim about the market.</p>
${sections.map(draw => draw(report)).join('\n')}
</body></html>
`
}

const STYLE = `
body { font: 15px/1.45 system-ui, sans-serif; color: #222; max-width: 1120px; margin: 2em auto;
  padding: 0 1em; }
h1 { font-size: 1.6em } h2 { font-size: 1.25em; margin: 2em 0 .4em }
svg { font: 12px system-ui, sans-serif; display: inline-block; margin: .4em 1em .4em 0;
  max-width: 100%; height: auto }
table { border-collapse: collapse; font-size: 13px; margin: .8em 0 }
th, td { padding: 2px 9px; border-bottom: 1px solid #ddd; text-align: right;
  font-variant-numeric: tabular-nums }
th:first-child, td:first-child { text-align: left } th { vertical-align: bottom }
.scroll { overflow-x: auto } .key { white-space: nowrap; margin-right: 1.4em }
.dot { display: inline-block; width: 10px; height: 10px; border-radius: 5px; margin-right: 5px }
`
