import { DATASET_CARDS } from '../data/dictionary/cards.ts'
import type { Column, Dataset } from '../data/dictionary/datasets.ts'
import { PUBLISHED_DATASETS } from '../data/dictionary/dictionary.ts'
import { findSign, findUnit, SCHEMA_EDITION, sortColumns } from '../data/dictionary/units.ts'
import { MONTH_DATASETS } from '../data/published/months.ts'
import { renderPage } from '../platform/html/layout.ts'
import { renderTable } from '../platform/html/table.ts'
import { type Html, html, type Piece } from '../platform/html/template.ts'

/** Renders the list of published datasets, and the card of each: HTML by its path. */
export const datasetPages = (): Readonly<Record<string, () => string>> => ({
  '/datasets': listPage,
  ...Object.fromEntries(
    PUBLISHED_DATASETS.map(dataset => [`/datasets/${dataset.name}`, () => cardPage(dataset)]),
  ),
})

const listPage = (): string =>
  renderPage({
    title: 'Datasets',
    path: '/datasets',
    main: html`<div class="wide">
<h1>Datasets</h1>
<p>One Parquet file a dataset and session, immutable; columns are only added. The list of files is
<code>/snapshots/index.json</code>, with a key of scope <code>dataset</code>; one simulated session with
all of them is free, where the operator has made it, below <code>/snapshots/sample/</code>.</p>
${renderTable({
  caption: 'Datasets',
  columns: ['dataset', 'what it is', 'one row for each'],
  rows: PUBLISHED_DATASETS.map(({ name, meaning, grain }) => [
    html`<a href="/datasets/${name}">${name}</a>`,
    html`<span class="long">${meaning}</span>`,
    html`<span class="long">${grain}</span>`,
  ]),
})}
</div>`,
  })

function cardPage(dataset: Dataset): string {
  const { name, meaning, grain, shared, columns } = dataset
  const { use, limits } = DATASET_CARDS[name]!
  return renderPage({
    title: name,
    path: '/datasets',
    main: html`<div class="wide">
<h1>${name}</h1>
<p>${meaning}</p>
<h2>What it is for</h2>
<p>${use}</p>
<h2>What it does not say</h2>
<p>${limits} Every number is an estimate; null means "not known", never 0. Rows of simulated sessions
are invented: the manifest of a session, <code>/api/days</code> and <code>index.json</code> say which
they are.</p>
<h2>Rows</h2>
<dl class="words">
<dt>one row for each</dt><dd>${grain}</dd>
<dt>sorted by</dt><dd>${sortColumns(dataset).join(', ')}; nulls last</dd>
<dt>files</dt><dd>${describeFiles(name)}</dd>
<dt>given to others</dt><dd>${
      shared === false
        ? 'only where the operator of the server may pass on the tape of the vendor'
        : 'with a key of scope dataset'
    }</dd>
<dt>schema edition</dt><dd>${SCHEMA_EDITION}</dd>
</dl>
<h2>Columns</h2>
${renderTable({
  caption: `Columns of ${name}`,
  columns: ['column', 'type', 'null', 'unit', 'meaning'],
  rows: columns.map(column => renderColumn(name, column)),
})}
${describeReasons(columns)}
<h2>Read it</h2>
<pre tabindex="0"><code>${listReaders(name)}</code></pre>
</div>`,
  })
}

const describeFiles = (name: string): Html =>
  (MONTH_DATASETS as readonly string[]).includes(name)
    ? html`<code>published/current/*/${name}.*.parquet</code> by session,
<code>published/months/*/${name}.*.parquet</code> by month`
    : html`<code>published/current/*/${name}.*.parquet</code>`

function renderColumn(dataset: string, column: Column): readonly Piece[] {
  const { name, type, isNullable, meaning } = column
  const sign = findSign(dataset, column)
  return [
    html`<code>${name}</code>`,
    type,
    isNullable ? 'yes' : 'no',
    html`<span class="long">${findUnit(dataset, column)}</span>`,
    html`<span class="long">${meaning}${sign && `; ${sign}`}</span>`,
  ]
}

/** Names the columns that say why another one is null; nothing where there are none. */
function describeReasons(columns: readonly Column[]): Html | null {
  const reasons = columns.filter(({ name }) => /(^|_)reason$/.test(name))
  if (reasons.length === 0) return null
  const names = reasons.map(({ name }) => html`<code>${name}</code> `)
  return html`<p>Why a value is null: ${names}</p>`
}

/** Statements that read the current files of a dataset, in four programs. */
const listReaders = (name: string): string => `# from a data folder
tapefold sql "select * from ${name} limit 5"

-- DuckDB
select * from read_parquet('data/published/current/*/${name}.*.parquet', hive_partitioning = false,
  union_by_name = true);

# Python: the client that lies in clients/python
import tapefold as tf
tf.Client('https://SERVER', key='labk_...').download('data', ['${name}'])
tf.open('data').dataset('${name}', '2026-10-14')

# polars
pl.scan_parquet('data/published/current/*/${name}.*.parquet', hive_partitioning=False).collect()
`
