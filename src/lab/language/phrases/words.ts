import { type Phrase, phrase } from '../phrase.ts'

/** Actions where there is no trade. */
const IDLE = `
  (do nothing|skip|skip it|skip the day|no trade|no trades|stay flat|sit out|stay out|stand
  aside|pass|
  dont trade|do not trade|nothing)
`

/** Conjunctions, small talk, and fillers: the only words without meaning for a rule. */
export const WORD_PHRASES: readonly Phrase[] = [
  phrase`unless words >when
    (unless|(skip|avoid|no trade on|not on|no trades on) [the|all] (days|sessions) (with|when|where|if|that have)|except (when|if)|but not (when|if)|not (when|if)|skip (when|if|it when|it if|the day
    if|the trade if)|(no trade|dont trade|do not trade|dont enter|do not enter|avoid trading|no
    trades|no entry|stay out|sit out|dont sell|dont buy|avoid|never trade|never|no trading| no
    new trades) (if|when|while))`({ k: 'unless' }),
  phrase`if words >when
    [but] [and] [only] (@when [both]|only) [and]`({ k: 'if' }),
  phrase`only_if words >when
    (no trade|no trades|dont trade|do not trade|dont enter|do not enter|never trade|no entry)
    unless`({ k: 'if' }),
  phrase`what_if words
    what (if|happens if|about if|would happen if) !(!(i|we|you|id|wed))`({ k: 'nothing' }),
  phrase`enter_action words
    (enter|open|put on|initiate|enter into|get into) [a|an|the] !(!(<action>|@opened))`({
    k: 'nothing',
  }),
  phrase`label words
    [the] (structure|setup|trade|position|time|shorts|style|legs|underlying|ticker|symbol|instrument|strategy|days|day|trading
    days|entry time|filter|
    filters|condition|conditions|plan|rules|side|action|expiry|strikes|when|wings|exits|target|(#\\d# conditions)) (,|=)`(
    {
      k: 'nothing',
    },
  ),
  phrase`whichever words
    [on] (whichever|whatever) (comes first|first|is first|hits first|happens first|is earlier|is
    sooner|comes sooner|hits)`({ k: 'nothing' }),
  phrase`no_matter words
    [and] (in any (case|event)|no matter what|whatever happens|regardless|come what may|after all|either way|no
    matter)`({
    k: 'nothing',
  }),
  phrase`on_days words >when
    [only] [on] (days|day|sessions) (with|when|where|that|if|in which|on which|!(!(the|@gap|@gamma|@iv)))`(
    { k: 'if' },
  ),
  phrase`trade_when words >when
    [only] (trade|trades|enter|take|do|run|use) [it|this|that] [only] @when`({ k: 'if' }),
  phrase`first_time words >when
    [the] first (time|minute) [that|when]`({ k: 'if' }),
  phrase`require words >when
    [and] [also] (require|requires|needs|must have|has to have) [that|for]`({ k: 'if' }),
  phrase`still_open words
    (if|when|as long as) [it is|its|we are|were] still (open|in|on|in it|holding)| if not
    (stopped|closed) [out|yet]`({ k: 'nothing' }),
  phrase`none words
    (@part|wings|filters|filter|days|conditions|exit|stop|target) [,|is|=] (none|n / a|na)`({
    k: 'nothing',
  }),
  phrase`both words
    both [of them|trades|legs] !(!(at|exit|enter|with|take|stop))`({ k: 'nothing' }),
  phrase`polite words
    (lets say [that]|what (i|id|we|wed) [would] [like|want|wanted|love] [to do] is|[on] [all] [of] the other days|[there is] 1 thing|[i] (want|like|love|need) to (know|see|check|find out)|the trade is !(!(a|the|to|<action>))|[its|this is|heres] [a] (simple|quick|easy) 1|(is|are|would be|will be|sounds|looks|seems|works) (fine|good|great|ok|okay|nice|
    perfect) [with|for] [me|us]|works [for (me|us)]|will do)`({ k: 'nothing' }),
  phrase`else_nothing words
    (otherwise|else|if not|or else) [,] ${IDLE}`({ k: 'nothing' }),
  phrase`no_trade words
    ${IDLE}`({ k: 'no_trade' }),
  phrase`else words >core
    (otherwise|else|if not|or else)`({ k: 'else' }),
  phrase`or words
    or`({ k: 'or' }),
  phrase`break words
    (,|;|.|then|and then|;|but|and|/|plus)`({ k: 'break' }),
  phrase`unsure words
    ([i have] no (preference|idea|clue)|you (choose|decide|pick)|up to you|i dont (care|know|mind)|idk|
    (doesnt|does not) matter|not sure|whatever [you (like|want|think)]|surprise me)`({
    k: 'talk',
    v: 'unsure',
  }),
  phrase`restart words
    (start over|start again|start (from scratch|fresh|afresh)|from scratch|begin again|new idea|reset|
    clear (it|everything|all)|forget (it|that|everything|all of (it|that)))`({ k: 'restart' }),
  phrase`hello words
    (hello|hi|hey|yo|good (morning|afternoon|evening)|hi there|hello there|howdy)`({
    k: 'talk',
    v: 'hello',
  }),
  phrase`thanks words
    (thanks|thank you|thx|ty|cheers|great|nice|cool|awesome|perfect|got it|ok|okay|yes|yep|
    yeah|sure|no problem|sounds good|good|lovely|bye|goodbye|(you|that) (are|is|was|were) (quick|fast|good|
    great|helpful|smart|nice|clever|brilliant)) [a lot|very much|so much|job| work]`({
    k: 'talk',
    v: 'thanks',
  }),
  phrase`help words
    (help|help me|what can (you|i) (do|say|ask|type)|how (does|do) (this|it|you) work|who are
    you|what is this|what are you|examples|example|show me an example|how are you|what can this
    do|commands)`({ k: 'talk', v: 'help' }),
]

/** Words without meaning for a rule in any position. */
export const FILLERS: readonly string[] = (
  'the a an please think i id im we want wanna would like to lets let us you can hmm hm uh um er ah oh eh could just of on ' +
  'in for with my me our so there then that this it be is do have going will strategy idea rule ' +
  'test backtest try here heres following basically simply always at by as from spx spxw its am ' +
  'plan would trader essentially really literally honestly been ' +
  'guys folks personally usually normally typically generally thinking looking running whose ish using ' +
  'trade position side , ; . well also already currently'
).split(' ')
