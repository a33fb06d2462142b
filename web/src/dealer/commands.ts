// What each command is called at the table, what the dealer says aloud with it, and where it belongs on the console.
// A command that is not in this list is shown by its own name: nothing that the house offers is hidden.

import type { Text } from '../lib/language.svelte';

export type Group = 'deal' | 'shoe' | 'decision' | 'irregularity' | 'wagers' | 'patrons' | 'house';
export type CommandWords = { title: Text; hint?: Text; call?: Text; group: Group };

const COMMANDS: Record<string, CommandWords> = {
  // the round, from the first call to the last payment
  'call-place-your-bets': { title: ['Open betting', '开始下注'], call: ['Place your bets, please', '请下注'], group: 'deal' },
  'call-no-more-bets': { title: ['Close betting', '停止下注'], call: ['No more bets', '停止下注，买定离手'], group: 'deal' },
  'draw-card': { title: ['Draw the next card', '发下一张牌'], group: 'deal' },
  'pass-hands': { title: ['Pass the hands', '交牌'], hint: ['Each hand goes, face down, to whoever is entitled to it.', '将各手暗牌交给有权看牌的客人。'], group: 'deal' },
  'choose-first-hand': { title: ['Choose which hand is turned first', '选择先开哪手牌'], group: 'deal' },
  'reveal-hand': { title: ['Turn a hand over', '开牌'], group: 'deal' },
  'announce-totals': { title: ['Announce the totals', '宣布点数'], group: 'deal' },
  'announce-result': { title: ['Announce the result', '宣布结果'], hint: ['Say what you see. The console compares it with the cards.', '报出您所见的结果，系统会与牌面核对。'], group: 'deal' },
  'settle-round': { title: ['Collect and pay', '收注派彩'], group: 'deal' },
  'abandon-round': { title: ['Put the round away: nobody bets', '无人下注，取消本局'], group: 'deal' },
  'confirm-deal': { title: ['Confirm the deal', '确认发牌'], group: 'deal' },
  // the shoe
  'verify-cards': { title: ['Count the cards', '点牌核数'], hint: ['Enter how many cards were counted.', '请输入点得的张数。'], group: 'shoe' },
  'load-shoe': { title: ['Shuffle, cut and load the shoe', '洗牌、切牌、装靴'], hint: ['A seated patron cuts, or the dealer once all have declined.', '由在座客人切牌；全部谢绝后由荷官切牌。'], group: 'shoe' },
  'end-shoe': { title: ['Put the shoe away', '收起牌靴'], group: 'shoe' },
  'new-shoe': { title: ['New electronic shoe', '启用新电子牌靴'], hint: ['The house commits to a shuffle; patrons may add to it and cut.', '系统先承诺洗牌，客人可参与并切牌。'], group: 'shoe' },
  'take-the-deal': { title: ['Take the deal', '接手发牌'], group: 'house' },
  'give-back': { title: ['Give the deal back to the house', '将发牌交还系统'], group: 'house' },
  // what a position decides when a round waits
  'judge-irregularity': { title: ['Judge: can it be put right?', '裁断：能否更正？'], group: 'decision' },
  'make-ruling': { title: ['Make a ruling', '作出裁决'], group: 'decision' },
  'attend-search': { title: ['Attend the procedure', '到场监督'], hint: ['Whoever signs here is present and watches.', '签署者在场监督。'], group: 'decision' },
  'name-holder': { title: ['Name who handles the cards', '指定看牌人'], hint: ['Equal wagers, placed at the same time: choose one of those who made them.', '注额与时间相同：从下注者中指定一人。'], group: 'decision' },
  'grant-squeeze': { title: ['Let somebody squeeze a hand', '准许看牌'], hint: ['For this round, whoever is entitled by their wagers.', '仅限本局，不论按投注应由谁看牌。'], group: 'decision' },
  'answer-withdrawal-offer': { title: ['Record a patron’s answer', '记录客人的答复'], group: 'decision' },
  'close-withdrawal-offer': { title: ['The time to answer is over', '答复时间已到'], group: 'decision' },
  'reserve-cards': { title: ['Set two cards aside', '预留两张牌'], hint: ['For possible third cards, in the order in which they come. Only the manager sees them.', '按抽出次序留作可能的补牌，仅经理可见。'], group: 'decision' },
  'sort-cards': { title: ['Sort and count all other cards', '清点其余全部牌'], hint: ['In view of patrons and surveillance: how many of each card were found?', '在客人与监控可见处清点：每种牌各有几张？'], group: 'decision' },
  'substitute-cards': { title: ['Put like cards in their place', '以同样的牌代替'], group: 'decision' },
  'retrieve-hand': { title: ['Take the hand back', '收回该手牌'], group: 'decision' },
  // reports
  'report-irregularity': { title: ['Report an irregularity', '报告异常'], group: 'irregularity' },
  'report-incident': { title: ['Report something else', '报告其他情况'], group: 'irregularity' },
  'draw-cards-together': { title: ['Several cards left the shoe together', '多张牌同时抽出'], group: 'irregularity' },
  'report-mislaid-cards': { title: ['Cards lie on the wrong hand', '牌放错手'], group: 'irregularity' },
  'report-mispassed-hand': { title: ['A hand went to the wrong patron', '牌交错客人'], group: 'irregularity' },
  'expose-cards': { title: ['Cards lie open by mistake', '牌误翻开'], group: 'irregularity' },
  'report-face-up-card': { title: ['The next card lies face up', '下一张牌面朝上'], group: 'irregularity' },
  'reveal-for-absent': { title: ['Turn the cards of an absent patron', '为缺席客人开牌'], group: 'irregularity' },
  'report-missing-cards': { title: ['A patron left with cards', '客人带牌离开'], group: 'irregularity' },
  'reset-device': { title: ['Reset the dealing device', '重置发牌设备'], group: 'irregularity' },
  'report-power-failure': { title: ['Report a power failure', '报告停电'], group: 'irregularity' },
  'report-malfunction': { title: ['Report a malfunction', '报告故障'], group: 'irregularity' },
  'cancel-expired-round': { title: ['Cancel a game that has expired', '取消逾期牌局'], group: 'irregularity' },
  'report-off-limits-wager': { title: ['A wager is off the limits', '投注超出限额'], group: 'irregularity' },
  'report-late-chips': { title: ['Chips came after the call', '停止下注后放置的筹码'], group: 'irregularity' },
  'report-lifted-wager': { title: ['A wager was pulled back after the call', '停止下注后撤回投注'], group: 'irregularity' },
  'record-unpaid-loss': { title: ['Record what was not handed over', '记录未付金额'], group: 'irregularity' },
  // wagers
  'place-wager': { title: ['Place a wager for a patron', '代客下注'], group: 'wagers' },
  'take-wager-back': { title: ['Take a wager back for a patron', '代客撤注'], group: 'wagers' },
  'set-spoken-wager': { title: ['Set down a spoken wager', '放置口头投注'], group: 'wagers' },
  'change-returned-wager': { title: ['Change a returned wager', '更改退回的投注'], group: 'wagers' },
  'invite-raises': { title: ['Invite raises on the lighter hand', '邀请加注较轻一方'], group: 'wagers' },
  'call-for-removal': { title: ['Ask the pit to remove wagers', '请监场移除投注'], group: 'wagers' },
  'remove-wager': { title: ['Remove a wager', '移除投注'], group: 'wagers' },
  'scale-back': { title: ['Scale wagers back', '按比例缩减投注'], group: 'wagers' },
  // people and money
  'buy-in': { title: ['Change cash for chips', '现金换筹码'], group: 'patrons' },
  'cash-out': { title: ['Chips back to cash', '筹码换现金'], group: 'patrons' },
  'advance-chip-request': { title: ['Next step of a fill or credit', '补码或退码的下一步'], group: 'patrons' },
  'approve-nominee': { title: ['Approve a nominee', '批准代理人'], hint: ['Nothing follows until the table is told.', '宣布之后方才生效。'], group: 'patrons' },
  'announce-nominee': { title: ['Announce a nominee', '宣布代理人'], hint: ['Tell the table who acts for whom; from now on the nominee may act.', '向全桌宣布谁代表谁；此后代理人可以行事。'], group: 'patrons' },
  'end-nominee': { title: ['End a nominee', '结束代理'], hint: ['Tell the table that the nominee acts no longer.', '向全桌宣布代理结束。'], group: 'patrons' },
  'order-in-person': { title: ['Patrons shall act themselves', '客人须亲自操作'], group: 'patrons' },
  'lift-in-person-order': { title: ['Nominees may act again', '恢复代理'], group: 'patrons' },
  'free-seat': { title: ['Free a seat', '腾空座位'], group: 'patrons' },
  'suspend-table': { title: ['Suspend the table', '暂停牌桌'], hint: ['The round in play is finished; no other starts.', '完成当前一局后不再开新局。'], group: 'house' },
  'resume-table': { title: ['Resume the table', '恢复牌桌'], group: 'house' },
  'request-chips': { title: ['Ask for a fill or credit', '申请补码或退码'], group: 'house' },
  'void-chip-request': { title: ['Void a fill or credit', '作废补码或退码'], group: 'house' },
  'change-settings': { title: ['Change settings', '更改设置'], group: 'house' },
  'assign-staff': { title: ['Assign staff', '指派员工'], group: 'house' },
  'grant-maximum': { title: ['Grant a maximum', '批准个人上限'], group: 'house' },
  'cap-area': { title: ['Cap a position', '限制位置'], hint: ['How many wagers this position of the layout takes.', '台面上该位置可接受多少注。'], group: 'house' },
  'close-table': { title: ['Close the table', '关闭牌桌'], group: 'house' },
};

export function wordsOf(command: string): CommandWords {
  const plain = command.replaceAll('-', ' ');
  return COMMANDS[command] ?? { title: [plain, plain], group: 'house' };
}

/** What a dealer does in the course of a round, the nearest to its end first: of what the house accepts now, the first is next. */
export const IN_ORDER = [
  'settle-round', 'announce-totals', 'announce-result', 'scale-back', 'pass-hands', 'reveal-hand', 'draw-card', 'call-no-more-bets',
  'call-place-your-bets', 'load-shoe', 'verify-cards', 'take-the-deal',
] as const;

/** What follows upon a report, in the order in which it is done. */
export const FOLLOW_UPS = [
  'invite-raises', 'call-for-removal', 'scale-back', 'retrieve-hand', 'attend-search', 'reserve-cards', 'substitute-cards', 'sort-cards', 'judge-irregularity', 'make-ruling', 'name-holder', 'answer-withdrawal-offer', 'close-withdrawal-offer',
  'remove-wager', 'resume-table',
] as const;

/** The steps by which a table differential comes down; they have a place of their own. */
export const OF_THE_DIFFERENTIAL: readonly string[] = ['invite-raises', 'call-for-removal', 'scale-back', 'remove-wager'];

/** Reports that every game has, whatever its file says of them. */
export const ALWAYS = ['report-late-chips', 'report-lifted-wager', 'report-incident'] as const;
