//! The login: a name, a password, and READY.

use crate::client::{Action, Ending};
use crate::lines::shown;

/// How far the login has come: what the client waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Login {
    /// The question for the name.
    Name,
    /// The question for the password.
    Password,
    /// The server's verdict.
    Answer,
    /// It is done.
    Done,
}

impl Login {
    /// Answers a line of the server. News may come before the verdict; a line of the server itself that is no question
    /// refuses the login.
    pub fn line(&mut self, line: &str, name: &str, password: &str) -> Vec<Action> {
        let (next, action) = match self {
            Login::Name if self.is_prompt(line) => (Login::Password, Action::Send(name.to_string())),
            Login::Password if self.is_prompt(line) => (Login::Answer, Action::SendSecret(password.to_string())),
            Login::Answer if line.trim() == "READY" => (Login::Done, Action::Say(format!("logged in as {name}"))),
            Login::Password | Login::Answer if line.starts_with(':') => {
                let said = shown(line.trim_start_matches(':').trim());
                (*self, Action::Close(Ending::Refused(format!("the server refuses the login: {said}"))))
            }
            _ => return Vec::new(),
        };
        *self = next;
        vec![action]
    }

    /// Whether a line, or its start, is the question that is waited for: the server may not end it.
    pub fn is_prompt(self, line: &str) -> bool {
        match self {
            Login::Name => line.contains("Enter login"),
            Login::Password => line.starts_with(": Enter your password"),
            Login::Answer | Login::Done => false,
        }
    }
}
