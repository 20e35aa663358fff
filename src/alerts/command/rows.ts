import { group, numeric, or, port, whole } from '../../core/commandRow.ts'
import { dateArgument } from '../../core/days.ts'
import { DELIVERIES_MAX, DELIVERIES_USUAL, EVENTS_MAX, EVENTS_USUAL } from '../limits.ts'

/** Commands of what an account is notified of, and of where that is sent. */

const CHANGE = 'src/alerts/command/alert.ts#changeAlert'

const atMost = (max: number, usual: number) =>
  or(whole(1, max, `give 1 to ${max}, such as 20`), String(usual))

export const ALERT = group({
  name: 'alert',
  summary: 'which events an account is notified of',
  about: `Events an account is notified of: those of levels, lines at a price or a level, large orders.
docs/alerts.md has every field with its unit and range.

Fields: "on" and "off" are short for on=true and on=false. A list has commas: kinds=vertical,condor.
Nothing behind the = is the default again: note=`,
  options: { json: 'as the API gives it' },
  work: 'src/alerts/command/alert.ts',
  commands: [
    { line: 'alert list ACCOUNT', summary: 'settings, lines and rules of an account' },
    {
      line: 'alert set ACCOUNT TYPE [FIELD=VALUE...]',
      summary: 'an entry of the list',
      takes: 'an account and a type: alert set acc_4fQ8sK2mZx0T flip_cross confirm=3',
    },
    {
      line: 'alert line add ACCOUNT PLACE [FIELD=VALUE...]',
      summary: 'a line at a price, or at a level: flip, call_wall or put_wall',
      takes: 'an account and a price or a level: alert line add acc_4fQ8sK2mZx0T 6000',
      work: CHANGE,
    },
    {
      line: 'alert line update ACCOUNT LINE [FIELD=VALUE...]',
      summary: 'changes fields of a line',
      work: CHANGE,
    },
    { line: 'alert line arm ACCOUNT LINE', summary: 'arms a line that has fired', work: CHANGE },
    { line: 'alert line remove ACCOUNT LINE', summary: 'removes a line', work: CHANGE },
    {
      line: 'alert rule add ACCOUNT NAME [FIELD=VALUE...]',
      summary: 'a rule for large orders',
      takes:
        'an account and a name: alert rule add acc_4fQ8sK2mZx0T "big verticals" kinds=vertical',
      work: CHANGE,
    },
    {
      line: 'alert rule update ACCOUNT RULE [FIELD=VALUE...]',
      summary: 'changes fields of a rule',
      work: CHANGE,
    },
    { line: 'alert rule remove ACCOUNT RULE', summary: 'removes a rule', work: CHANGE },
    {
      line: 'alert preview DAY',
      summary: 'alerts that a day would have sent',
      about: `Lists the alerts that an account would have had on a day, and when, with its present settings set
before the session began. Nothing is written and nothing is sent.`,
      options: {
        'account ACCOUNT': 'whose settings and positions; without it, the usual list',
      },
      work: 'pipelines/watch/preview.ts',
    },
    {
      line: 'alert events ACCOUNT',
      summary: 'events of an account, oldest first, whether it has a webhook or not',
      options: {
        'day DAY': 'of one day',
        'type TYPE': 'of one type, such as flip_cross',
        'after SEQ': 'those behind the event of this number',
        'limit N': `how many at most, 1 to ${EVENTS_MAX}`,
        'run RUN': 'those of a replay, such as replay_4fQ8sK2mZx0T',
      },
      values: {
        day: dateArgument,
        after: or(numeric(/^\d{1,15}$/, 1e15, 'give the number of an event, such as 4711'), '0'),
        limit: atMost(EVENTS_MAX, EVENTS_USUAL),
      },
      work: 'src/alerts/command/alertEvents.ts',
    },
  ],
})

const SLOW_MAX_SECONDS = 60

export const WEBHOOK = group({
  name: 'webhook',
  summary: 'where alerts are sent; receive and verify them here',
  about: `Where the alerts of an account are sent, and what becomes of them. docs/webhooks.md says more.`,
  work: 'src/alerts/command/webhook.ts',
  commands: [
    {
      line: 'webhook save ACCOUNT URL',
      summary: `saves the address and switches it on; the first time it makes the secret, and prints
        it this once`,
    },
    {
      line: 'webhook show ACCOUNT',
      summary: 'the address, whether it is on, and why not',
      options: { secret: 'prints the secret, too' },
    },
    {
      line: 'webhook rotate ACCOUNT',
      summary: 'makes a new secret and prints it; the old one signs nothing any more',
    },
    { line: 'webhook remove ACCOUNT', summary: 'removes the address' },
    {
      line: 'webhook test ACCOUNT',
      summary: 'has a test sent',
      options: { 'position ID': 'to the webhook of this position' },
    },
    {
      line: 'webhook replay ACCOUNT EVENT',
      summary: 'sends an event from this shell, signed; nothing is logged',
      options: {
        'to URL': 'there, instead of to the saved address; http:// on this machine too',
      },
      work: 'src/alerts/command/webhookReplay.ts',
    },
    {
      line: 'webhook deliveries ACCOUNT',
      summary: 'how events got there, newest first',
      options: {
        'event ID': 'of one event',
        'limit N': `how many, 1 to ${DELIVERIES_MAX}`,
        json: 'as the API gives them',
      },
      values: { limit: atMost(DELIVERIES_MAX, DELIVERIES_USUAL) },
    },
    {
      line: 'webhook listen',
      summary: 'receives webhooks on this machine, and verifies them',
      about: `Receives webhooks on this machine, at 127.0.0.1, until Ctrl-C: says of each whether its signature is
good, and prints its body. Without a secret nothing can be verified: TAPEFOLD_WEBHOOK_SECRET has it,
or the file does.`,
      options: {
        'port N': '0 to 65535; 0 takes any free port',
        'secret-file FILE': 'file with the secret on one line; - reads standard input',
        legacy: 'verifies X-Service-Signature-V0 instead, which only positions have',
        'fail CODE': `answers each call with this status, 200 to 599 (200; 400 when it is refused)`,
        'slow S': 'answers each call so many seconds late, 0 to 60, such as 3.5',
      },
      values: {
        port: or(port(8787), '8787'),
        fail: whole(200, 599, 'give a status from 200 to 599, such as 500'),
        slow: or(
          numeric(
            /^\d{1,2}(\.\d{1,3})?$/,
            SLOW_MAX_SECONDS,
            `give seconds from 0 to ${SLOW_MAX_SECONDS}, such as 4`,
          ),
          '0',
        ),
      },
      work: 'src/alerts/command/webhookListen.ts',
    },
  ],
})
