import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCachedPage, type Page } from '../platform/http/page.ts'

/** Scripts of charting programs that read the text of levels, to download. */
export const CHART_SCRIPTS = ['tapefold-levels.pine', 'TapefoldLevels.cs'] as const

const FOLDER = join(import.meta.dirname, '../levels/kit')

/** Pages of the scripts by their paths; each is read once. */
export const chartScripts = (): Readonly<Record<string, () => Page>> =>
  Object.fromEntries(
    CHART_SCRIPTS.map(name => {
      const page = createCachedPage({
        content: readFileSync(join(FOLDER, name), 'utf8'),
        contentType: 'text/plain; charset=utf-8',
        headers: {
          'cache-control': 'no-cache',
          'content-disposition': `attachment; filename="${name}"`,
        },
      })
      return [`/charts/${name}`, () => page]
    }),
  )
