import type { Transaction } from 'kysely'
import { randomBase62 } from '../../accounts/apiKey.ts'
import { type ChangeResponse, changeOnce, readResponse } from '../../accounts/repeats.ts'
import { type IdeaReader, type LabDatabase, numberOrNull, readIdea } from './ideas.ts'
import type { LabDatabaseTables } from './schema.ts'
import {
  IDEA_MESSAGES_MAX,
  IDEAS_MAX,
  type IdeaChange,
  type IdeaChat,
  type IdeaVersion,
  type LabStore,
  type StoredIdea,
} from './types.ts'

/** The account has the maximum number of ideas, or the idea that of messages. */
export class LabFull extends Error {}

/** Other processes changed the idea during every attempt to decide a message. */
export class LabBusy extends Error {}

/** Maximum attempts to decide a message when others change its idea meanwhile. */
const ATTEMPTS_MAX = 8

/** Messages to LAB, and the changes that they make to the ideas of accounts. */
export const chatOperations = (database: LabDatabase) =>
  ({ chat: chat => takeMessage(database, chat) }) satisfies Partial<LabStore>

/** Decides on the stored state, and writes in one short transaction if that state still holds. */
async function takeMessage<Decision extends IdeaChange>(
  database: LabDatabase,
  chat: IdeaChat<Decision>,
): Promise<ChangeResponse | 'no_idea' | null> {
  const { reader } = database
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const replayed = await readResponse(reader, chat)
    if (replayed) return replayed === 'reused' ? null : replayed
    const seen = await readBase(reader, chat)
    if (!seen) return 'no_idea'
    refuseFull(seen)
    const decision = await chat.decide(seen.idea, seen.before)
    const taken = await changeOnce(database, chat, async trx => {
      const base = await readBase(trx, chat)
      if (!base) return 'no_idea'
      if (!isSameBase(seen, base)) return 'changed'
      refuseFull(base)
      return async () =>
        chat.formatResponse(decision, await writeMessage(trx, chat, base, decision))
    })
    if (taken !== 'changed') return taken
  }
  throw new LabBusy('the idea is being changed by other messages; send this one again in a second.')
}

/** State that a message is decided on, with the usage of its limits. */
type ChatBase = {
  readonly idea: StoredIdea | null
  readonly before: IdeaVersion | null
  /** Number of messages of the idea; null without an idea. */
  readonly messages: number | null
  /** Number of ideas of the account; null when the message starts none. */
  readonly ideas: number | null
}

/** Returns null when the account has no such idea. */
async function readBase(
  db: IdeaReader,
  { accountId, ideaId }: Pick<IdeaChat<IdeaChange>, 'accountId' | 'ideaId'>,
): Promise<ChatBase | null> {
  if (ideaId === null) {
    const ideas = await countIdeas(db, accountId)
    return { idea: null, before: null, messages: null, ideas }
  }
  const idea = await readIdea(db, accountId, ideaId)
  if (!idea) return null
  const before = await versionBefore(db, idea)
  return { idea, before, messages: await countMessages(db, ideaId), ideas: null }
}

/** True when a decision on one is valid for the other. */
function isSameBase(one: ChatBase, other: ChatBase): boolean {
  const decisive = ({ idea, before }: ChatBase) =>
    JSON.stringify(idea && [idea.current, idea.draft, idea.missing, before])
  return decisive(one) === decisive(other)
}

/** Fails when the idea, or the account for a new one, is at its limit. */
function refuseFull({ messages, ideas }: ChatBase): void {
  if (messages !== null && messages >= IDEA_MESSAGES_MAX) throw fullIdea(messages)
  if (ideas !== null && ideas >= IDEAS_MAX) {
    throw new LabFull(`the account keeps ${IDEAS_MAX} ideas, which is the limit; delete one first.`)
  }
}

const fullIdea = (messages: number) =>
  new LabFull(
    `the idea has ${messages} messages; the limit is ${IDEA_MESSAGES_MAX}. Begin a new idea.`,
  )

async function countIdeas(db: IdeaReader, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('lab_ideas')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the highest number, which is the count: messages are numbered from 1. */
async function countMessages(db: IdeaReader, ideaId: string): Promise<number> {
  const { last } = await db
    .selectFrom('lab_messages')
    .select(({ fn }) => fn.max<number | null>('n').as('last'))
    .where('idea_id', '=', ideaId)
    .executeTakeFirstOrThrow()
  return Number(last ?? 0)
}

async function writeMessage(
  trx: Transaction<LabDatabaseTables>,
  { accountId, atMs }: Pick<IdeaChat<IdeaChange>, 'accountId' | 'atMs'>,
  { idea: found, before }: ChatBase,
  decision: IdeaChange,
): Promise<StoredIdea | null> {
  const id =
    found?.id ?? (decision.idea ? await beginIdea(trx, accountId, decision.idea.name, atMs) : null)
  if (id === null) return null
  if (decision.idea) await applyChange(trx, id, decision.idea, { found, before, atMs })
  // any new message means that the idea has to be tested again
  await trx
    .updateTable('lab_ideas')
    .set({ stage: 'rule', is_on: 0, updated_at: atMs })
    .where('id', '=', id)
    .execute()
  const idea = (await readIdea(trx, accountId, id))!
  await storeMessages(trx, idea, decision.messages, atMs)
  return idea
}

async function beginIdea(
  trx: Transaction<LabDatabaseTables>,
  accountId: string,
  name: string,
  atMs: number,
): Promise<string> {
  const own = trx.selectFrom('lab_ideas').where('account_id', '=', accountId)
  const { last } = await own
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .executeTakeFirstOrThrow()
  const id = `i_${randomBase62(12)}`
  await trx
    .insertInto('lab_ideas')
    .values({
      id,
      account_id: accountId,
      number: Number(last ?? 0) + 1,
      name,
      stage: 'rule',
      version: 0,
      draft: null,
      missing: '[]',
      created_at: atMs,
      updated_at: atMs,
      deleted_at: null,
      is_on: 0,
      on_at: null,
      draw: 'off',
      alert: 'off',
    })
    .execute()
  return id
}

type Found = {
  readonly found: StoredIdea | null
  readonly before: IdeaVersion | null
  readonly atMs: number
}

async function applyChange(
  trx: Transaction<LabDatabaseTables>,
  id: string,
  { name, rule, draft, missing }: NonNullable<IdeaChange['idea']>,
  { found, before, atMs }: Found,
): Promise<void> {
  let version = found?.current?.version ?? 0
  if (rule === 'back') version = before?.version ?? 0
  else if (rule && rule.ruleHash !== found?.current?.ruleHash) {
    const parent = version === 0 ? null : version
    version = await nextVersion(trx, id)
    const { spec, ruleHash, say } = rule
    await trx
      .insertInto('lab_versions')
      .values({
        idea_id: id,
        version,
        parent,
        spec,
        rule_hash: ruleHash,
        say,
        created_at: atMs,
      })
      .execute()
  }
  await trx
    .updateTable('lab_ideas')
    .set({ name, version, draft, missing: JSON.stringify(missing) })
    .where('id', '=', id)
    .execute()
}

async function nextVersion(trx: Transaction<LabDatabaseTables>, ideaId: string): Promise<number> {
  const { last } = await trx
    .selectFrom('lab_versions')
    .select(({ fn }) => fn.max<number | null>('version').as('last'))
    .where('idea_id', '=', ideaId)
    .executeTakeFirstOrThrow()
  return Number(last ?? 0) + 1
}

async function storeMessages(
  trx: Transaction<LabDatabaseTables>,
  idea: StoredIdea,
  messages: IdeaChange['messages'],
  atMs: number,
): Promise<void> {
  const count = await countMessages(trx, idea.id)
  if (count + messages.length > IDEA_MESSAGES_MAX) throw fullIdea(count)
  const list = (value: readonly string[] | null) => (value ? JSON.stringify(value) : null)
  await trx
    .insertInto('lab_messages')
    .values(
      messages.map(({ sender, text, kind, missing, errors }, index) => ({
        idea_id: idea.id,
        n: count + 1 + index,
        at: atMs,
        sender,
        text,
        kind,
        version: sender === 'lab' && kind === 'spec' ? (idea.current?.version ?? null) : null,
        rule_hash: sender === 'lab' && kind === 'spec' ? (idea.current?.ruleHash ?? null) : null,
        missing: list(missing),
        errors: list(errors),
      })),
    )
    .execute()
}

async function versionBefore(db: IdeaReader, idea: StoredIdea): Promise<IdeaVersion | null> {
  const parent = idea.current?.parent ?? null
  if (parent === null) return null
  const row = await db
    .selectFrom('lab_versions')
    .selectAll()
    .where('idea_id', '=', idea.id)
    .where('version', '=', parent)
    .executeTakeFirstOrThrow()
  const { spec, rule_hash: ruleHash, say } = row
  return { version: parent, parent: numberOrNull(row.parent), spec, ruleHash, say }
}
