// @ts-check
// The page of votes on a telephone: it asks which round is on, and sends a vote. `ballot_box.py` puts it into the page.

/** @type {number | null} */
let round = null;
/** @type {number | null} */
let turn = null;
const here = location.pathname.replace(/\/$/, '');
const told = /** @type {HTMLElement} */ (document.getElementById('told'));
const buttons = ['out', 'in'].map(name => /** @type {HTMLElement} */ (document.getElementById(name)));

async function look() {
  try {
    const now = await (await fetch(`${here}/now`)).json();
    if (now.round === round && now.turn === turn) return;
    told.textContent = now.round === round ? 'We count again. Please vote again.' : 'A new map. What do you think?';
    round = now.round;
    turn = now.turn;
    for (const button of buttons) button.setAttribute('aria-pressed', 'false');
  } catch {
    told.textContent = 'Voting is over.';
  }
}

/** @param {number} side */
async function vote(side) {
  try {
    const answer = await fetch(`${here}/vote`, { method: 'POST', body: `round=${round}&in=${side}` });
    if (answer.status === 409) {
      location.reload();
      return;
    }
    if (!answer.ok) throw new Error();
    buttons.forEach((button, at) => button.setAttribute('aria-pressed', String(at === side)));
    told.textContent = 'Counted. You may change your mind.';
  } catch {
    told.textContent = 'That did not arrive. Try again.';
  }
}

buttons.forEach((button, side) => button.addEventListener('click', () => vote(side)));
look();
setInterval(look, 1500);
